package io.improbable.etcd.simulation;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdClusterStatus;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.TlsSetup;
import io.improbable.etcd.api.TlsSpec;
import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.Transport;
import io.improbable.etcd.manifest.Labels;
import io.improbable.etcd.manifest.Peers;
import io.improbable.etcd.manifest.Transports;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether a history has ended as well as its volumes allow. */
final class Verdict {
    /** Where a person has to act: nothing may be running, whatever the volumes hold. */
    private static final List<String> NEEDS_A_PERSON = List.of(
            "ClaimsUnknown",
            "ClaimsDisagree",
            "DataGone",
            "Refused",
            "VersionRefused",
            "BootstrapBroken",
            "IdentityMismatch",
            "CertificatesInvalid");

    private final World world;
    private final Troubles troubles;

    Verdict(World world, Troubles troubles) {
        this.world = world;
        this.troubles = troubles;
    }

    void check() {
        Optional<EtcdCluster> cluster = world.cluster();
        boolean hurt = troubles.haveSpoiled() || troubles.haveHurt();
        if (cluster.isEmpty()) {
            nothingIsLeft();
        } else if (troubles.haveOrphaned() && hurt) {
            world.trace().note("a person has to tell what becomes of the orphans");
        } else {
            EtcdClusterStatus status = status(cluster.get());
            statusIsTrue(status);
            if (aNodeIsWaitedFor(status) || hasPatience(status)) {
                world.trace().note("a node, or a member that crashes, is waited for");
            } else if (troubles.haveSpoiled()) {
                serves(status);
            } else if (everythingNeededIsThere(hurt)) {
                isWhole(cluster.get(), status);
            } else {
                saysWhatItWaitsFor(status);
            }
        }
    }

    private void nothingIsLeft() {
        if (troubles.haveOrphaned()) {
            return;
        }
        Stream.of(EtcdPeer.class, ReplicaSet.class, Pod.class, Service.class)
                .flatMap(kind -> world.server().list(kind).stream())
                .filter(object -> !(object instanceof Pod pod)
                        || world.nodes().isUp(pod.getSpec().getNodeName()))
                .findFirst()
                .ifPresent(object -> fail(Objects.describe((HasMetadata) object) + " is left of a deleted cluster"));
    }

    /** Without losses everything is there, unless a node is away; else a quorum of what was agreed on has to be. */
    private boolean everythingNeededIsThere(boolean hurt) {
        return (!hurt && everyNodeIsUp()) || quorumIsThere();
    }

    /**
     * A volume on a node that is away, of a peer that nobody has ever seen there, or the pod of a peer that somebody
     * has deleted: the node is waited for.
     */
    private boolean aNodeIsWaitedFor(EtcdClusterStatus status) {
        boolean saysSo = condition(status, "Progressing")
                .map(condition -> condition.getMessage().startsWith("Waiting for pod"))
                .orElse(false);
        return !everyNodeIsUp()
                && (saysSo
                        || world.server().list(Pod.class).stream()
                                .anyMatch(pod -> pod.getSpec().getNodeName() == null && !Objects.isDeleting(pod)));
    }

    /** A member that crashes is replaced only after the time that the user allows. */
    private boolean hasPatience(EtcdClusterStatus status) {
        return !world.replacesSoon() && "EtcdCrashing".equals(reason(status, "Degraded"));
    }

    private boolean everyNodeIsUp() {
        return world.nodes().states().keySet().stream().allMatch(world.nodes()::isUp);
    }

    private boolean quorumIsThere() {
        Set<ClusterId> ids = dataWithinReach().map(MemberData::clusterId).collect(Collectors.toSet());
        return ids.stream().anyMatch(this::quorumIsThere);
    }

    private boolean quorumIsThere(ClusterId id) {
        MemberData agreed = world.rules().membership().agreed(id).orElseThrow();
        Set<MemberId> there = dataWithinReach()
                .filter(data -> data.clusterId().equals(id) && agreed.isVoter(data.self()))
                .map(MemberData::self)
                .collect(Collectors.toSet());
        return agreed.quorum().metBy(there.size());
    }

    private Stream<MemberData> dataWithinReach() {
        return world.claims().stream()
                .filter(this::isJudged)
                .filter(claim -> !isOfSomebodyLeaving(claim))
                .filter(claim -> !Objects.isDeleting(claim))
                .filter(world.nodes()::isWithinReach)
                .flatMap(claim -> world.nodes().volume(claim).data().stream());
    }

    private void isWhole(EtcdCluster cluster, EtcdClusterStatus status) {
        if ("VersionRefused".equals(reason(status, "Progressing"))) {
            world.trace().note("a person has to choose another version");
            return;
        }
        if (isToldOf(cluster)) {
            world.trace().note("the next authority is waited for");
            return;
        }
        if (needsAPersonForCertificates(cluster, status)) {
            world.trace().note("a person has to see to the certificates");
            return;
        }
        boolean settled = "Settled".equals(reason(status, "Progressing"));
        int wanted = cluster.getSpec().replicas();
        if (!settled || status.readyReplicas() != wanted || status.operation() != null) {
            fail("not whole, though nothing stands in its way:" + Trace.summary(status));
        }
        List<EtcdPeer> peers = world.server().list(EtcdPeer.class);
        if (wanted == 0) {
            peers.stream()
                    .filter(peer -> !peer.getSpec().standsStill())
                    .forEach(peer -> fail(Objects.describe(peer) + " is awake in a cluster that sleeps"));
            return;
        }
        if (peers.size() != wanted) {
            fail(peers.size() + " peers, and " + wanted + " were asked for");
        }
        membersAreThePeers(wanted);
        everyPodIsAsAskedFor(cluster);
        if (everyNodeIsUp()) {
            nothingIsLeftOver(peers);
        }
    }

    private void everyPodIsAsAskedFor(EtcdCluster cluster) {
        TlsSetup tls = world.server().list(EtcdPeer.class).getFirst().getSpec().tlsOrNone();
        if (!Transports.of(tls).equals(wanted(cluster.getSpec().tls()))) {
            fail("peers speak as %s, and %s was asked for"
                    .formatted(Transports.of(tls), wanted(cluster.getSpec().tls())));
        }
        String settings = new Peers(cluster, tls).settings();
        world.server().list(Pod.class).stream()
                .filter(pod -> world.nodes().isUp(pod.getSpec().getNodeName()))
                .filter(pod ->
                        !settings.equals(pod.getMetadata().getAnnotations().get(Labels.SETTINGS)))
                .forEach(pod -> fail(Objects.describe(pod) + " was made with other settings"));
    }

    private boolean isToldOf(EtcdCluster cluster) {
        return "CertificatesMissing".equals(reason(status(cluster), "Degraded"));
    }

    /** What is lost cannot be signed again, and who is reached by TLS does not start without. */
    private boolean needsAPersonForCertificates(EtcdCluster cluster, EtcdClusterStatus status) {
        TlsSpec tls = cluster.getSpec().tls();
        return "CertificatesInvalid".equals(reason(status, "Progressing"))
                && (troubles.haveDeletedTooManySecrets() || tls == null || tls.peer() == null);
    }

    private static Transport wanted(@Nullable TlsSpec tls) {
        if (tls == null) {
            return Transport.PLAIN;
        }
        Transport.Client client = tls.client() == null
                ? Transport.Client.PLAIN
                : Transport.Client.valueOf(tls.client().mode().name());
        return new Transport(client, tls.peer() == null ? Transport.Between.PLAIN : Transport.Between.REQUIRED);
    }

    private void membersAreThePeers(int wanted) {
        MemberData data = leaders().findFirst().orElseThrow().data();
        long healthy = leaders()
                .flatMap(leader -> world.etcd().group(leader).stream())
                .filter(process ->
                        process.isReady() && data.isVoter(process.data().self()))
                .distinct()
                .count();
        if (data.members().size() != wanted || data.voters().size() != wanted || healthy != wanted) {
            fail("%d healthy voters of %s, and %d were asked for".formatted(healthy, data.members(), wanted));
        }
    }

    private void nothingIsLeftOver(List<EtcdPeer> peers) {
        Set<String> used =
                peers.stream().map(peer -> peer.getSpec().claimName()).collect(Collectors.toSet());
        world.claims().stream()
                .filter(claim -> !used.contains(claim.getMetadata().getName()) || Objects.isDeleting(claim))
                .filter(claim -> !isOfSomebodyRemovedByHand(claim))
                .forEach(claim -> fail(Objects.describe(claim) + " is left over"));
        world.claims().stream()
                .filter(claim -> !claim.getMetadata()
                        .getAnnotations()
                        .getOrDefault(Labels.RETIRED, "")
                        .isEmpty())
                .forEach(claim -> fail(Objects.describe(claim) + " is retired and in use"));
        List<Pod> pods = world.server().list(Pod.class);
        if (pods.size() != peers.size()) {
            fail(pods.size() + " pods for " + peers.size() + " peers");
        }
    }

    /** The operator did not retire it, so that it is not the operator's to delete. */
    private boolean isOfSomebodyRemovedByHand(PersistentVolumeClaim claim) {
        return Optional.ofNullable(claim.getMetadata().getAnnotations().get(Labels.MEMBER_ID))
                .map(MemberId::parse)
                .filter(troubles::haveRemoved)
                .isPresent();
    }

    /** A quorum is lost for good, or away: nothing can be done, and nobody may think otherwise. */
    private void saysWhatItWaitsFor(EtcdClusterStatus status) {
        boolean awake = world.cluster().orElseThrow().getSpec().replicas() > 0;
        if (awake && "Settled".equals(reason(status, "Progressing"))) {
            fail("a quorum is missing, and nothing is said of it:" + Trace.summary(status));
        }
    }

    private void statusIsTrue(EtcdClusterStatus status) {
        boolean serving = isServing();
        boolean said = "True"
                .equals(condition(status, "Available").map(Condition::getStatus).orElse("False"));
        boolean blinded =
                "CertificatesInvalid".equals(reason(status, "Progressing")) && troubles.haveDeletedTooManySecrets();
        if (serving != said && !(serving && blinded)) {
            fail((serving ? "etcd serves, but" : "etcd does not serve, but") + Trace.summary(status));
        }
    }

    /** A quorum of volumes with data must end up serving, unless a person has to tell which data is right. */
    private void serves(EtcdClusterStatus status) {
        boolean excused = world.rules().areExcused() || NEEDS_A_PERSON.contains(reason(status, "Progressing"));
        boolean awake = world.cluster().orElseThrow().getSpec().replicas() > 0;
        if (awake && !excused && quorumIsThere() && !isServing()) {
            fail("a quorum of volumes is there, but nobody serves:" + Trace.summary(status));
        }
    }

    /** A founder that was deleted before it was seen to join is left to a person. */
    private boolean isJudged(PersistentVolumeClaim claim) {
        return claim.getMetadata().getAnnotations().containsKey(Labels.MEMBER_ID)
                || world.server()
                        .get(EtcdPeer.class, claim.getMetadata().getName())
                        .isPresent();
    }

    /** Retired, and its peer was deleted by hand before its member could be removed: nobody starts it again. */
    private boolean isOfSomebodyLeaving(PersistentVolumeClaim claim) {
        String name = claim.getMetadata().getName();
        return !claim.getMetadata()
                        .getAnnotations()
                        .getOrDefault(Labels.RETIRED, "")
                        .isEmpty()
                && world.server().list(EtcdPeer.class).stream()
                        .noneMatch(peer -> peer.getSpec().claimName().equals(name));
    }

    private boolean isServing() {
        return leaders().findAny().isPresent();
    }

    private Stream<EtcdProcess> leaders() {
        return world.etcd().running().stream()
                .flatMap(process -> world.etcd().leader(process.data().clusterId()).stream())
                .filter(leader -> world.nodes().isUp(leader.node()));
    }

    private void fail(String how) {
        world.rules().broken(Invariant.IT_SETTLES, how);
    }

    private static EtcdClusterStatus status(EtcdCluster cluster) {
        return cluster.getStatus() == null ? EtcdClusterStatus.EMPTY : cluster.getStatus();
    }

    private static Optional<Condition> condition(EtcdClusterStatus status, String type) {
        return status.conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    private static String reason(EtcdClusterStatus status, String type) {
        return condition(status, type).map(Condition::getReason).orElse("none");
    }
}
