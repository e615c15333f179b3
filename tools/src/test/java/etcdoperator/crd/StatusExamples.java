package etcdoperator.crd;

import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeerStatus;
import etcdoperator.api.MemberRole;
import etcdoperator.api.MemberStatus;
import etcdoperator.api.OperationStatus;
import etcdoperator.api.OperationType;
import etcdoperator.api.PeerPhase;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;

/** A status of each kind with every field set. */
final class StatusExamples {
    private static final Condition AVAILABLE = new ConditionBuilder()
            .withType("Available")
            .withStatus("True")
            .withReason("QuorumAnswers")
            .withMessage("2 of 3 members are healthy")
            .withLastTransitionTime("2026-11-15T10:00:00Z")
            .withObservedGeneration(2L)
            .build();

    static final EtcdClusterStatus CLUSTER = new EtcdClusterStatus(
            2L,
            3,
            2,
            "etcd.improbable.io/cluster-name=my-cluster",
            List.of(
                    new MemberStatus(
                            "8eca1236bfa86a0a",
                            "my-cluster-0",
                            MemberRole.LEADER,
                            true,
                            "3.6.16",
                            20480L,
                            "my-cluster-0"),
                    new MemberStatus(
                            "c1586ccb976e37c7", "added-by-hand", MemberRole.VOTER, true, "3.6.16", 20480L, null),
                    new MemberStatus(
                            "51938e7f648adbc2", null, MemberRole.LEARNER, false, null, null, "my-cluster-2-1a2b3c4d")),
            "my-cluster-0",
            "c3080818d3bbf60b",
            "3.6.0",
            List.of("http://my-cluster-client.default.svc:2379"),
            new OperationStatus(
                    OperationType.BOOTSTRAP,
                    "my-cluster-2",
                    Instant.parse("2026-11-15T10:00:00.123456Z"),
                    "a new cluster"),
            List.of(AVAILABLE));

    static final EtcdPeerStatus PEER =
            new EtcdPeerStatus("3.6.16", "8eca1236bfa86a0a", PeerPhase.RUNNING, "node-1", List.of(AVAILABLE));

    private StatusExamples() {}
}
