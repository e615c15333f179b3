package io.improbable.etcd.simulation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdClusterSpec;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.PodMetadata;
import io.improbable.etcd.api.PodTemplate;
import io.improbable.etcd.domain.EtcdVersion;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.VersionPath;
import io.improbable.etcd.manifest.Labels;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What users, nodes and disks do to a cluster. */
final class Troubles {
    private static final List<String> VERSIONS = List.of("3.5.35", "3.6.16", "3.7.3");

    private final World world;
    private final Dice dice;
    private final Operators operators;
    private final HandMade handMade;
    private final TlsTroubles tls;
    private boolean spoiled;
    private boolean hurt;
    private boolean orphaned;
    private int size;

    Troubles(World world, Dice dice, Operators operators) {
        this.world = world;
        this.dice = dice;
        this.operators = operators;
        this.handMade = new HandMade(world, dice);
        this.tls = new TlsTroubles(world, dice);
    }

    /** Whether something was done after which a cluster may rightly not become whole again by itself. */
    boolean haveSpoiled() {
        return spoiled;
    }

    /** Whether data or members were taken away or added: what becomes of it is to be seen from what is left. */
    boolean haveHurt() {
        return hurt || handMade.haveChangedMembers();
    }

    boolean haveDeletedTooManySecrets() {
        return tls.haveDeletedTooMuch();
    }

    boolean haveRemoved(MemberId member) {
        return handMade.haveRemoved(member);
    }

    /** Whether a cluster was deleted in a way that leaves its peers, to be taken up by the next one or by a person. */
    boolean haveOrphaned() {
        return orphaned;
    }

    void happen() {
        if (world.isSecured() && dice.oneIn(5)) {
            tls.happen();
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
            case 37 -> foreignClaim();
            case 38, 39, 40, 41, 42, 43 -> scale();
            case 44 -> dice.pick(world.claims()).ifPresent(this::deleteClaim);
            case 45 -> dice.pick(world.claims()).ifPresent(this::corruptVolume);
            case 46, 47 -> handMade.addMember();
            case 48, 49, 50 -> changeVersion();
            case 51, 52 -> changeSettings();
            default -> handMade.removeMember();
        }
    }

    /** Nodes come back, maybe all but one, and what was deleted in the course of it is asked for again. */
    void end() {
        boolean oneStaysAway = world.replacesSoon() && dice.oneIn(4);
        List<String> away = world.nodes().states().keySet().stream()
                .filter(node -> !world.nodes().isUp(node))
                .toList();
        away.stream().skip(oneStaysAway ? 1 : 0).forEach(this::revive);
        if (world.cluster().isEmpty() && !dice.oneIn(4)) {
            createCluster();
        }
    }

    /** @return whether a node was away until now */
    boolean everyNodeComesBack() {
        List<String> away = world.nodes().states().keySet().stream()
                .filter(node -> !world.nodes().isUp(node))
                .toList();
        away.forEach(this::revive);
        return !away.isEmpty();
    }

    private void revive(String node) {
        note(node + " is back");
        world.nodes().set(node, FakeNodes.State.UP);
    }

    private void scale() {
        world.cluster().ifPresent(cluster -> {
            int replicas = dice.pick(List.of(0, 1, 2, 3, 3, 3, 4, 5)).orElseThrow();
            note("scale to " + replicas);
            change(cluster, cluster.getSpec().withReplicas(replicas));
        });
    }

    /** As the API server lets it through: it compares with what was asked for before, not with what runs. */
    private void changeVersion() {
        world.cluster().ifPresent(cluster -> {
            var before = EtcdVersion.parse(cluster.getSpec().version());
            List<String> possible = VERSIONS.stream()
                    .filter(version -> VersionPath.refusal(before, EtcdVersion.parse(version))
                            .isEmpty())
                    .toList();
            dice.pick(possible).ifPresent(version -> {
                note("version " + version);
                change(cluster, cluster.getSpec().withVersion(version));
            });
        });
    }

    private void changeSettings() {
        world.cluster().ifPresent(cluster -> {
            String word = dice.pick(List.of("one", "other")).orElseThrow();
            note("settings " + word);
            var metadata = new PodMetadata(Map.of("settings", word), Map.of());
            change(
                    cluster,
                    cluster.getSpec()
                            .withPodTemplate(
                                    new PodTemplate(metadata, null, null, null, null, null, null, null, null, null)));
        });
    }

    private void change(EtcdCluster cluster, EtcdClusterSpec spec) {
        world.server().change(cluster, changed -> {
            changed.setSpec(spec);
            changed.getMetadata().setGeneration(cluster.getMetadata().getGeneration() + 1);
            return changed;
        });
    }

    /** Used or not: what is in use goes when its pod ends. */
    private void deleteClaim(PersistentVolumeClaim claim) {
        lose(claim);
        delete(claim);
    }

    private void corruptVolume(PersistentVolumeClaim claim) {
        Volume volume = world.nodes().volume(claim);
        note("volume " + volume + " is corrupted");
        lose(claim);
        volume.user().ifPresent(EtcdProcess::kill);
        volume.corrupt();
    }

    /** Before the operator could have seen who is on it, nobody can say what is lost with it. */
    private void lose(PersistentVolumeClaim claim) {
        hurt = true;
        spoiled = spoiled || !isJudged(claim.getMetadata().getName());
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
        if (volume.data().isPresent()) {
            lose(claim);
        }
        volume.empty();
    }

    private void deleteIdleClaim() {
        List<PersistentVolumeClaim> idle = world.claims().stream()
                .filter(claim -> world.nodes().volume(claim).user().isEmpty())
                .toList();
        dice.pick(idle).ifPresent(claim -> {
            lose(claim);
            world.nodes().volume(claim).empty();
            delete(claim);
        });
    }

    private void deletePeer(EtcdPeer peer) {
        spoiled = spoiled || !isJudged(peer.getSpec().claimName());
        delete(peer);
    }

    private void deleteCluster() {
        world.cluster().ifPresent(cluster -> {
            spoiled = spoiled
                    || world.claims().isEmpty()
                    || !world.claims().stream()
                            .allMatch(claim -> isJudged(claim.getMetadata().getName()));
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

    /** Whether the claim tells who is on it, or that nobody is yet. */
    private boolean isJudged(String claim) {
        return world.server()
                .get(PersistentVolumeClaim.class, claim)
                .map(object -> object.getMetadata().getAnnotations())
                .map(annotations ->
                        annotations.containsKey(Labels.MEMBER_ID) || annotations.containsKey(Labels.JOINING))
                .orElse(false);
    }
}
