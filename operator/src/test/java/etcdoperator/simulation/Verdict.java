package etcdoperator.simulation;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.trouble.Troubles;
import etcdoperator.simulation.world.SaidStatus;
import etcdoperator.simulation.world.World;
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
    private final Rules rules;
    private final Troubles troubles;
    private final DataLeft data;

    Verdict(World world, Rules rules, Troubles troubles) {
        this.world = world;
        this.rules = rules;
        this.troubles = troubles;
        this.data = new DataLeft(world, rules);
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
                serves(status);
            } else if (everythingNeededIsThere(hurt)) {
                new Wholeness(world, rules, troubles).check(cluster.get(), status);
            } else if (!troubles.haveChangedMembers() && new Comeback(world, rules, cluster.get()).isOverdue(status)) {
                fail("most voters are lost for good, and nothing has come of it:" + status);
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
        boolean excused = rules.areExcused() || NEEDS_A_PERSON.contains(status.reason("Progressing"));
        boolean awake = world.cluster().orElseThrow().getSpec().replicas() > 0;
        if (awake && !excused && data.isQuorum() && !isServing()) {
            fail("a quorum of volumes is there, but nobody serves:" + status);
        }
    }

    private boolean isServing() {
        return world.leaders().findAny().isPresent();
    }

    private void fail(String how) {
        rules.broken(Invariant.IT_SETTLES, how);
    }
}
