package etcdoperator.simulation.trouble;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.Volume;
import etcdoperator.simulation.kube.FakeNodes;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.ServerSideApply;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.world.SaidStatus;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What takes more than a cluster can spare, and what people do about it. */
final class Disasters {
    private static final Pattern OFFER = Pattern.compile("etcd\\.improbable\\.io/recover=(\\S+?)(,|$)");

    private final World world;
    private final Dice dice;
    private final DiskTroubles disks;
    private boolean meddled;

    Disasters(World world, Dice dice, DiskTroubles disks) {
        this.world = world;
        this.dice = dice;
        this.disks = disks;
    }

    /** Whether somebody has taken away what a recovery was using. */
    boolean haveMeddled() {
        return meddled;
    }

    void happen() {
        switch (dice.below(23)) {
            case 0, 1 -> dice.pick(world.leaders().toList()).ifPresent(world.backups()::take);
            case 2, 3 -> most(disks::delete);
            case 4 -> most(disks::empty);
            case 5 -> most(dice.oneIn(2) ? disks::corrupt : disks::delete);
            case 6 -> world.claims().forEach(disks::delete);
            case 7, 8, 9 -> declareDead();
            case 10, 11 -> comeBack();
            case 12, 13 -> choose();
            case 14 -> meddle();
            case 15 -> most(disks::unmount);
            case 16, 17 -> dice.pick(world.nodes().disks().away()).ifPresent(disks::mount);
            case 18, 19, 20, 21 -> oneAfterTheOther();
            default -> partition();
        }
    }

    private void most(Consumer<PersistentVolumeClaim> fate) {
        List<PersistentVolumeClaim> claims = dice.shuffled(world.claims());
        claims.subList(0, claims.size() / 2 + (claims.isEmpty() ? 0 : 1)).forEach(fate);
    }

    /** The disk of one member, and while a learner takes its place those of as many others as it takes to lose the majority. */
    private void oneAfterTheOther() {
        dice.pick(world.leaders().toList()).map(EtcdProcess::data).ifPresent(data -> {
            boolean learning = data.members().stream().anyMatch(ListedMember::learner);
            int voters = data.voters().size();
            List<PersistentVolumeClaim> claims = dice.shuffled(world.claims().stream()
                    .filter(claim -> world.nodes()
                            .volume(claim)
                            .data()
                            .filter(found -> data.isVoter(found.self()))
                            .isPresent())
                    .toList());
            int lost = learning ? voters - data.quorum().needed() + 1 : 1;
            claims.subList(0, Math.min(lost, claims.size())).forEach(dice.oneIn(3) ? disks::empty : this::deleteAtOnce);
        });
    }

    /** With its pod, and without grace. */
    private void deleteAtOnce(PersistentVolumeClaim claim) {
        disks.delete(claim);
        world.server().list(Pod.class).stream()
                .filter(pod -> Objects.uses(pod, claim))
                .forEach(world.server()::remove);
    }

    /** One node, or two of the three: by somebody who has seen that they are off. */
    private void declareDead() {
        List<String> nodes = dice.shuffled(List.copyOf(world.nodes().states().keySet()));
        boolean delete = dice.oneIn(2);
        nodes.subList(0, dice.oneIn(3) ? 1 : 2).forEach(node -> declareDead(node, delete));
    }

    private void declareDead(String node, boolean delete) {
        note(node + (delete ? " is off and deleted" : " is off and out of service"));
        world.nodes().declareDead(node, delete);
        disks.mayBeLost(node);
    }

    /** Most disks are not mounted, or as few nodes are gone as most members are on. @param silent whether nobody knows more of them than that they are not heard of */
    void mostAreGone(boolean silent) {
        if (!silent && dice.oneIn(3)) {
            most(disks::unmount);
            return;
        }
        List<String> places = world.server().list(Pod.class).stream()
                .flatMap(pod -> Optional.ofNullable(pod.getSpec().getNodeName()).stream())
                .toList();
        List<String> fullestFirst = places.stream()
                .distinct()
                .sorted(Comparator.comparing((String node) -> -Collections.frequency(places, node)))
                .toList();
        boolean delete = dice.oneIn(2);
        int gone = 0;
        for (String node : fullestFirst) {
            if (2 * gone <= places.size()) {
                if (silent) {
                    cutOff(node);
                } else {
                    declareDead(node, delete);
                }
                gone += Collections.frequency(places, node);
            }
        }
    }

    /** Most of a cluster may go on where nobody sees it. */
    private void partition() {
        List<String> nodes = dice.shuffled(List.copyOf(world.nodes().states().keySet()));
        nodes.subList(0, 2).forEach(node -> {
            if (world.nodes().isUp(node)) {
                cutOff(node);
            }
        });
    }

    private void cutOff(String node) {
        note(node + " is cut off");
        world.nodes().set(node, FakeNodes.State.CUT_OFF);
    }

    /** With its disks, or without. */
    private void comeBack() {
        List<String> dead = world.nodes().states().keySet().stream()
                .filter(world.nodes()::isDeclaredDead)
                .toList();
        dice.pick(dead).ifPresent(node -> {
            boolean blank = dice.oneIn(4);
            note(node + (blank ? " is back with blank disks" : " is back"));
            if (blank) {
                world.nodes().disks().tiedTo(node).forEach(Volume::empty);
            }
            world.nodes().set(node, FakeNodes.State.UP);
        });
    }

    /** @return whether the status offered anything */
    boolean choose() {
        Optional<String> offer = world.cluster().flatMap(cluster -> dice.pick(offers(cluster)));
        offer.ifPresent(chosen -> {
            note("somebody chooses " + chosen);
            world.server().change(world.cluster().orElseThrow(), changed -> {
                changed.getMetadata()
                        .setAnnotations(ServerSideApply.merged(
                                changed.getMetadata().getAnnotations(), Map.of(Labels.RECOVER, chosen)));
                return changed;
            });
        });
        return offer.isPresent();
    }

    private static List<String> offers(EtcdCluster cluster) {
        String said = SaidStatus.of(cluster)
                .condition("Progressing")
                .map(Condition::getMessage)
                .orElse("");
        return OFFER.matcher(said)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private void meddle() {
        switch (dice.below(4)) {
            case 0 ->
                dice.pick(world.server().list(EtcdRestore.class)).ifPresent(restore -> {
                    meddled = true;
                    note("delete " + Objects.describe(restore));
                    world.controllers().delete(restore);
                });
            case 1 ->
                dice.pick(world.server().list(Job.class)).ifPresent(job -> {
                    note("delete " + Objects.describe(job));
                    world.controllers().delete(job);
                });
            case 2 ->
                dice.pick(world.server().list(PersistentVolumeClaim.class).stream()
                                .filter(claim -> claim.getMetadata().getLabels().containsKey(Labels.RESTORE))
                                .toList())
                        .ifPresent(claim -> {
                            meddled = true;
                            disks.delete(claim);
                        });
            default ->
                dice.pick(world.server().list(Pod.class).stream()
                                .filter(Objects::isAgent)
                                .toList())
                        .ifPresent(pod -> {
                            note("delete " + Objects.describe(pod));
                            world.controllers().delete(pod);
                        });
        }
    }

    private void note(String line) {
        world.trace().note("trouble: " + line);
    }
}
