package io.improbable.etcd.simulation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.manifest.Labels;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What users, nodes and disks do to a cluster. */
final class Troubles {
    private final World world;
    private final Dice dice;
    private final Operators operators;
    private boolean spoiled;
    private boolean orphaned;
    private int size;

    Troubles(World world, Dice dice, Operators operators) {
        this.world = world;
        this.dice = dice;
        this.operators = operators;
    }

    /** Whether something was done after which a cluster may rightly not become whole again by itself. */
    boolean haveSpoiled() {
        return spoiled;
    }

    /** Whether a cluster was deleted in a way that leaves its peers, to be taken up by the next one or by a person. */
    boolean haveOrphaned() {
        return orphaned;
    }

    void happen() {
        switch (dice.below(38)) {
            case 0, 1, 2, 3, 4 -> operators.fault();
            case 5, 6 -> operators.crash();
            case 7, 8, 9, 10 -> operators.start();
            case 11, 12 -> dice.pick(world.server().list(Pod.class)).ifPresent(this::delete);
            case 13, 14 -> dice.pick(world.etcd().running()).ifPresent(EtcdProcess::kill);
            case 15, 16 -> stopAll();
            case 17 -> setNode(FakeNodes.State.DOWN);
            case 18 -> setNode(FakeNodes.State.CUT_OFF);
            case 19, 20, 21 -> setNode(FakeNodes.State.UP);
            case 22 -> dice.pick(world.claims()).ifPresent(this::emptyVolume);
            case 23 -> deleteIdleClaim();
            case 24 -> dice.pick(world.server().list(EtcdPeer.class)).ifPresent(this::deletePeer);
            case 25 -> dice.pick(world.server().list(Service.class)).ifPresent(this::delete);
            case 26 -> dice.pick(world.server().list(ReplicaSet.class)).ifPresent(this::delete);
            case 27, 28 -> deleteCluster();
            case 29, 30 -> createCluster();
            case 31, 32 -> amnesiaTrial();
            case 33 -> forceDelete();
            case 34, 35 -> operators.stallWatch();
            case 36 -> operators.unstallWatches();
            default -> foreignClaim();
        }
    }

    /** Nodes come back, and what was deleted in the course of it is asked for again. */
    void end() {
        world.nodes().states().keySet().forEach(node -> world.nodes().set(node, FakeNodes.State.UP));
        if (world.cluster().isEmpty() && !dice.oneIn(4)) {
            createCluster();
        }
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

    private void emptyVolume(PersistentVolumeClaim claim) {
        Volume volume = world.nodes().volume(claim);
        note("volume " + volume + " is emptied");
        volume.user().ifPresent(EtcdProcess::kill);
        spoiled = spoiled || volume.data().isPresent();
        volume.empty();
    }

    private void deleteIdleClaim() {
        List<PersistentVolumeClaim> idle = world.claims().stream()
                .filter(claim -> world.nodes().volume(claim).user().isEmpty())
                .toList();
        dice.pick(idle).ifPresent(claim -> {
            spoiled = true;
            world.nodes().volume(claim).empty();
            delete(claim);
        });
    }

    private void deletePeer(EtcdPeer peer) {
        spoiled = spoiled || !isHeld(peer.getSpec().claimName());
        delete(peer);
    }

    private void deleteCluster() {
        world.cluster().ifPresent(cluster -> {
            spoiled = spoiled
                    || world.claims().isEmpty()
                    || !world.claims().stream()
                            .allMatch(claim -> isHeld(claim.getMetadata().getName()));
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
                deleteAllClaims();
            }
        });
    }

    /** The user wants to begin anew. */
    private void deleteAllClaims() {
        spoiled = true;
        world.claims().forEach(this::delete);
    }

    private void createCluster() {
        if (world.server().get(EtcdCluster.class, World.KEY.name()).isEmpty()) {
            int replicas = dice.oneIn(4) ? dice.below(6) : size;
            spoiled = spoiled || replicas != size;
            note("create a cluster of " + replicas);
            world.createCluster(replicas);
        }
    }

    private void foreignClaim() {
        String name = World.KEY.name() + "-" + dice.below(4);
        if (world.server().get(PersistentVolumeClaim.class, name).isPresent()) {
            return;
        }
        spoiled = true;
        boolean labelled = dice.oneIn(2);
        note("somebody makes claim " + name + (labelled ? " with" : " without") + " our label");
        var claim = new PersistentVolumeClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace(World.KEY.namespace())
                .withName(name)
                .withLabels(labelled ? Map.of(Labels.CLUSTER, World.KEY.name()) : Map.of())
                .build());
        world.server().create(claim);
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
        Optional<PersistentVolumeClaim> best = world.claims().stream()
                .filter(claim -> world.nodes().volume(claim).data().isPresent())
                .max(Comparator.comparingInt(claim ->
                        world.nodes().volume(claim).data().orElseThrow().lastIndex()));
        best.ifPresent(this::emptyVolume);
    }

    private boolean isHeld(String claim) {
        return world.server()
                .get(PersistentVolumeClaim.class, claim)
                .map(object -> object.getMetadata().getAnnotations().containsKey(Labels.MEMBER_ID))
                .orElse(false);
    }
}
