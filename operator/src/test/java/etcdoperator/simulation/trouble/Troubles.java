package etcdoperator.simulation.trouble;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.domain.MemberId;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.kube.FakeNodes;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.world.Operators;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.List;

/** What users, nodes and disks do to a cluster. */
public final class Troubles {
    private final World world;
    private final Dice dice;
    private final Operators operators;
    private final HandMade handMade;
    private final TlsTroubles tls;
    private final DiskTroubles disks;
    private final WishTroubles wishes;
    private final Disasters disasters;
    private boolean spoiled;
    private boolean orphaned;
    private int size;

    public Troubles(World world, Dice dice, Operators operators) {
        this.world = world;
        this.dice = dice;
        this.operators = operators;
        this.handMade = new HandMade(world, dice);
        this.tls = new TlsTroubles(world, dice);
        this.disks = new DiskTroubles(world, dice);
        this.wishes = new WishTroubles(world, dice);
        this.disasters = new Disasters(world, dice, disks);
    }

    /** Whether something was done after which a cluster may rightly not become whole again by itself. */
    public boolean haveSpoiled() {
        return spoiled || disks.haveSpoiled();
    }

    boolean haveMeddled() {
        return disasters.haveMeddled();
    }

    /** Whether data or members were taken away or added: what becomes of it is to be seen from what is left. */
    public boolean haveHurt() {
        return disks.haveHurt() || handMade.haveChangedMembers();
    }

    public boolean haveChangedMembers() {
        return handMade.haveChangedMembers();
    }

    public boolean haveDeletedTooManySecrets() {
        return tls.haveDeletedTooMuch();
    }

    public boolean haveRemoved(MemberId member) {
        return handMade.haveRemoved(member);
    }

    /** Whether a cluster was deleted in a way that leaves its peers, to be taken up by the next one or by a person. */
    public boolean haveOrphaned() {
        return orphaned;
    }

    public void happen() {
        if (world.isSecured() && dice.oneIn(5)) {
            tls.happen();
            return;
        }
        if (world.isDisastrous() && dice.oneIn(2)) {
            disasters.happen();
            return;
        }
        switch (dice.below(56)) {
            case 0, 1, 2, 3, 4 -> operators.fault();
            case 5, 6 -> operators.crash();
            case 7, 8, 9, 10 -> operators.start();
            case 11, 12 -> dice.pick(world.server().list(Pod.class)).ifPresent(this::delete);
            case 13, 14 -> dice.pick(world.etcd().running()).ifPresent(EtcdProcess::kill);
            case 15, 16 -> stopAll();
            case 17 -> setNode(FakeNodes.State.DOWN);
            case 18 -> setNode(FakeNodes.State.CUT_OFF);
            case 19, 20, 21 -> setNode(FakeNodes.State.UP);
            case 22 -> dice.pick(world.claims()).ifPresent(disks::empty);
            case 23 -> disks.deleteIdle();
            case 24 -> dice.pick(world.server().list(EtcdPeer.class)).ifPresent(this::deletePeer);
            case 25 -> dice.pick(world.server().list(Service.class)).ifPresent(this::delete);
            case 26 -> dice.pick(world.server().list(ReplicaSet.class)).ifPresent(this::delete);
            case 27, 28 -> deleteCluster();
            case 29, 30 -> createCluster();
            case 31, 32 -> amnesiaTrial();
            case 33 -> forceDelete();
            case 34, 35 -> operators.stallWatch();
            case 36 -> operators.unstallWatches();
            case 37 -> disks.makeForeignClaim();
            case 38, 39, 40, 41, 42, 43 -> wishes.scale();
            case 44 -> dice.pick(world.claims()).ifPresent(disks::delete);
            case 45 -> dice.pick(world.claims()).ifPresent(disks::corrupt);
            case 46, 47 -> handMade.addMember();
            case 48, 49, 50 -> wishes.changeVersion();
            case 51, 52 -> wishes.changeSettings();
            case 53 -> world.claims().forEach(disks::labelForArgo);
            default -> handMade.removeMember();
        }
    }

    /** Nodes come back, maybe all but one, and what was deleted in the course of it is asked for again. */
    public void end() {
        boolean oneStaysAway = world.replacesSoon() && dice.oneIn(4);
        List<String> away = world.nodes().states().keySet().stream()
                .filter(node -> !world.nodes().isUp(node))
                .toList();
        away.stream().skip(oneStaysAway ? 1 : 0).forEach(this::revive);
        disks.mountAll();
        if (world.cluster().isEmpty() && !dice.oneIn(4)) {
            createCluster();
        }
        if (world.isDisastrous() && dice.oneIn(2)) {
            disasters.choose();
        }
    }

    /** @return whether somebody has said what to go on from */
    public boolean somebodyChooses() {
        return world.isDisastrous() && disasters.choose();
    }

    /** @param silent whether nobody has said that it is for good */
    public void mostAreGone(boolean silent) {
        disasters.mostAreGone(silent);
    }

    /** With its disks. @return whether one was away until now */
    public boolean everyNodeComesBack() {
        List<String> away = world.nodes().states().keySet().stream()
                .filter(node -> !world.nodes().isUp(node))
                .toList();
        away.forEach(this::revive);
        return disks.mountAll() || !away.isEmpty();
    }

    private void revive(String node) {
        note(node + " is back");
        world.nodes().set(node, FakeNodes.State.UP);
    }

    private void note(String line) {
        world.trace().note("trouble: " + line);
    }

    private void delete(HasMetadata object) {
        note("delete " + Objects.describe(object));
        world.controllers().delete(object);
    }

    private void stopAll() {
        note("everything stops");
        world.etcd().running().forEach(EtcdProcess::kill);
    }

    private void setNode(FakeNodes.State state) {
        dice.pick(List.copyOf(world.nodes().states().keySet())).ifPresent(node -> {
            note(node + " is " + state);
            world.nodes().set(node, state);
        });
    }

    private void deletePeer(EtcdPeer peer) {
        spoiled = spoiled || !disks.isJudged(peer.getSpec().claimName());
        delete(peer);
    }

    private void deleteCluster() {
        world.cluster().ifPresent(cluster -> {
            spoiled = spoiled
                    || world.claims().isEmpty()
                    || !world.claims().stream()
                            .allMatch(
                                    claim -> disks.isJudged(claim.getMetadata().getName()));
            size = cluster.getSpec().replicas();
            switch (dice.below(6)) {
                case 0, 1 -> {
                    note("delete the cluster, in the foreground");
                    world.controllers().markDeleted(cluster);
                }
                case 2 -> {
                    note("delete the cluster and spare its dependents");
                    orphaned = true;
                    world.controllers().orphan(cluster);
                }
                default -> delete(cluster);
            }
            if (dice.oneIn(3)) {
                disks.deleteAll();
            }
        });
    }

    private void createCluster() {
        if (world.server().get(EtcdCluster.class, World.KEY.name()).isEmpty()) {
            int replicas = dice.oneIn(4) ? dice.below(6) : size;
            note("create a cluster of " + replicas);
            world.createCluster(replicas);
        }
    }

    /** For a node that is gone for good. */
    private void forceDelete() {
        List<Pod> lost = world.server().list(Pod.class).stream()
                .filter(pod -> world.nodes().isDown(pod.getSpec().getNodeName()))
                .toList();
        dice.pick(lost).ifPresent(pod -> {
            note("delete pod " + pod.getMetadata().getName() + " by force");
            world.server().remove(pod);
        });
    }

    /** A laggard, a full stop, and a disk that lost what the laggard never had. */
    private void amnesiaTrial() {
        note("amnesia trial");
        stopAll();
        disks.emptyTheFullest();
    }
}
