package etcdoperator.simulation;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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
    private final DataLeft data;

    Verdict(World world, Troubles troubles) {
        this.world = world;
        this.troubles = troubles;
        this.data = new DataLeft(world);
    }

    void check() {
        Optional<EtcdCluster> cluster = world.cluster();
        boolean hurt = troubles.haveSpoiled() || troubles.haveHurt();
        if (cluster.isEmpty()) {
            nothingIsLeft();
        } else if (troubles.haveOrphaned() && hurt) {
            world.trace().note("a person has to tell what becomes of the orphans");
        } else {
            SaidStatus status = SaidStatus.of(cluster.get());
            statusIsTrue(status);
            if (aNodeIsWaitedFor(status) || hasPatience(status)) {
                world.trace().note("a node, or a member that crashes, is waited for");
            } else if (troubles.haveSpoiled()) {
                foreignDataIsNamed(status);
                serves(status);
            } else if (everythingNeededIsThere(hurt)) {
                new Wholeness(world, troubles).check(cluster.get(), status);
            } else if (!troubles.haveChangedMembers() && new Comeback(world, cluster.get()).isOverdue(status)) {
                fail("most voters are lost for good, and nothing has come of it:" + status);
            } else {
                saysWhatItWaitsFor(status);
            }
        }
    }

    /** etcd goes on without the operator, which does not take that for anything else. */
    void checkBehindClosedPath() {
        boolean serves = world.leaders()
                .filter(leader -> SilenceRules.readyPods(world).anyMatch(pod -> world.nodes()
                        .processOf(pod)
                        .equals(Optional.of(leader))))
                .findAny()
                .isPresent();
        world.cluster()
                .filter(cluster -> serves && cluster.getSpec().replicas() > 0)
                .map(SaidStatus::of)
                .filter(status -> "False".equals(status.condition("Degraded")
                        .map(Condition::getStatus)
                        .orElse("False")))
                .ifPresent(status -> fail("no member answers, and nothing is said of it:" + status));
    }

    private void nothingIsLeft() {
        if (troubles.haveOrphaned()) {
            return;
        }
        Stream.of(EtcdPeer.class, ReplicaSet.class, Pod.class, Service.class)
                .flatMap(kind -> world.server().list(kind).stream())
                .filter(object -> !(object instanceof Pod pod)
                        || world.nodes().isUp(pod.getSpec().getNodeName()))
                // Those of an agent go with their Job.
                .filter(object ->
                        !((HasMetadata) object).getMetadata().getLabels().containsKey(Labels.RESTORE))
                .findFirst()
                .ifPresent(object -> fail(Objects.describe((HasMetadata) object) + " is left of a deleted cluster"));
    }

    /** Without losses everything is there, unless a node is away; else a quorum of what was agreed on has to be. */
    private boolean everythingNeededIsThere(boolean hurt) {
        return (!hurt && world.nodes().areAllUp()) || data.isQuorum();
    }

    /**
     * A volume on a node that is away, of a peer that nobody has ever seen there, or the pod of a peer that somebody
     * has deleted: the node is waited for.
     */
    private boolean aNodeIsWaitedFor(SaidStatus status) {
        boolean saysSo = status.condition("Progressing")
                .map(Condition::getMessage)
                .filter(message -> message.startsWith("Waiting for pod") || message.endsWith("is away"))
                .isPresent();
        return !world.nodes().areAllUp()
                && (saysSo
                        || world.server().list(Pod.class).stream()
                                .filter(pod -> !Objects.isAgent(pod))
                                .anyMatch(pod -> pod.getSpec().getNodeName() == null && !Objects.isDeleting(pod)));
    }

    /** A member that crashes is replaced only after the time that the user allows. */
    private boolean hasPatience(SaidStatus status) {
        return !world.replacesSoon() && "EtcdCrashing".equals(status.reason("Degraded"));
    }

    /** A quorum is lost for good, or away: nothing can be done, and nobody may think otherwise. */
    private void saysWhatItWaitsFor(SaidStatus status) {
        boolean awake = world.cluster().orElseThrow().getSpec().replicas() > 0;
        if (awake && "Settled".equals(status.reason("Progressing"))) {
            fail("a quorum is missing, and nothing is said of it:" + status);
        }
    }

    private void statusIsTrue(SaidStatus status) {
        boolean serving = isServing();
        boolean said = "True"
                .equals(status.condition("Available").map(Condition::getStatus).orElse("False"));
        boolean blinded = status.isOf("CertificatesInvalid") && troubles.haveDeletedTooManySecrets();
        if (serving != said && !(serving && blinded)) {
            fail((serving ? "etcd serves, but" : "etcd does not serve, but") + status);
        }
    }

    /** A quorum of volumes with data must end up serving, unless a person has to tell which data is right. */
    private void serves(SaidStatus status) {
        boolean excused = world.rules().areExcused() || NEEDS_A_PERSON.contains(status.reason("Progressing"));
        boolean awake = world.cluster().orElseThrow().getSpec().replicas() > 0;
        if (awake && !excused && data.isQuorum() && !isServing()) {
            fail("a quorum of volumes is there, but nobody serves:" + status);
        }
    }

    /** A member on a volume that was not wiped looks well to everything but the operator. */
    private void foreignDataIsNamed(SaidStatus status) {
        boolean seen = world.server().list(EtcdPeer.class).stream()
                .flatMap(peer -> world.server().list(Pod.class).stream()
                        .filter(pod -> Objects.claimOf(pod).equals(peer.getSpec().claimName())
                                && !Objects.isDeleting(pod)
                                && world.nodes().isUp(pod.getSpec().getNodeName())))
                .flatMap(pod -> world.nodes().processOf(pod).stream())
                .anyMatch(process -> process.isReady() && process.volume().isUsedBefore());
        boolean awake = world.cluster().orElseThrow().getSpec().replicas() > 0;
        if (seen && awake && "AsExpected".equals(status.reason("Degraded"))) {
            fail("a member runs on another one's data, and nothing is said of it:" + status);
        }
    }

    private boolean isServing() {
        return world.leaders().findAny().isPresent();
    }

    private void fail(String how) {
        world.rules().broken(Invariant.IT_SETTLES, how);
    }
}
