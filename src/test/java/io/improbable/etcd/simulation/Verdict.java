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
import io.improbable.etcd.domain.Quorum;
import io.improbable.etcd.manifest.Labels;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether a history has ended as well as its volumes allow. */
final class Verdict {
    /** Where a person has to act: nothing may be running, whatever the volumes hold. */
    private static final List<String> NEEDS_A_PERSON =
            List.of("ClaimsUnknown", "ClaimsDisagree", "DataGone", "Refused", "BootstrapBroken", "IdentityMismatch");

    private final World world;
    private final Troubles troubles;

    Verdict(World world, Troubles troubles) {
        this.world = world;
        this.troubles = troubles;
    }

    void check() {
        Optional<EtcdCluster> cluster = world.cluster();
        if (cluster.isEmpty()) {
            nothingIsLeft();
        } else if (troubles.haveOrphaned() && troubles.haveSpoiled()) {
            world.trace().note("a person has to tell what becomes of the orphans");
        } else if (troubles.haveSpoiled()) {
            statusIsTrue(status(cluster.get()));
            serves(status(cluster.get()));
        } else {
            statusIsTrue(status(cluster.get()));
            isWhole(cluster.get(), status(cluster.get()));
        }
    }

    private void nothingIsLeft() {
        if (troubles.haveOrphaned()) {
            return;
        }
        Stream.of(EtcdPeer.class, ReplicaSet.class, Pod.class, Service.class)
                .flatMap(kind -> world.server().list(kind).stream())
                .findFirst()
                .ifPresent(object -> fail(Objects.describe((HasMetadata) object) + " is left of a deleted cluster"));
    }

    private void isWhole(EtcdCluster cluster, EtcdClusterStatus status) {
        boolean settled = "Settled".equals(reason(status, "Progressing"));
        if (!settled || status.readyReplicas() != cluster.getSpec().replicas() || status.operation() != null) {
            fail("not whole, though nothing stands in its way:" + Trace.summary(status));
        }
    }

    private void statusIsTrue(EtcdClusterStatus status) {
        boolean serving = isServing();
        boolean said = "True"
                .equals(condition(status, "Available").map(Condition::getStatus).orElse("False"));
        if (serving != said) {
            fail((serving ? "etcd serves, but" : "etcd does not serve, but") + Trace.summary(status));
        }
    }

    /** A quorum of volumes with data must end up serving, unless a person has to tell which data is right. */
    private void serves(EtcdClusterStatus status) {
        boolean excused = world.rules().areExcused() || NEEDS_A_PERSON.contains(reason(status, "Progressing"));
        List<MemberData> data = world.claims().stream()
                .filter(this::isJudged)
                .flatMap(claim -> world.nodes().volume(claim).data().stream())
                .toList();
        boolean enough = data.stream()
                .anyMatch(one -> new Quorum(one.voters()).metBy((int) data.stream()
                        .filter(other -> other.clusterId().equals(one.clusterId()))
                        .count()));
        boolean awake = world.cluster().orElseThrow().getSpec().replicas() > 0;
        if (enough && awake && !excused && !isServing()) {
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

    private boolean isServing() {
        return world.etcd().running().stream()
                .anyMatch(process ->
                        world.etcd().leader(process.data().clusterId()).isPresent());
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
