package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdPeer;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Writers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Members and peers that do not fit together, because somebody changed the one or the other by hand. */
@Execution(ExecutionMode.CONCURRENT)
class StrangersIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    private TestCluster cluster;
    private Identity before;
    private Writers writers;

    @BeforeEach
    void threeMembersAndClients() {
        cluster = namespace.cluster("ours", TestCluster.members(3)).create().awaitHealthy();
        before = Identity.of(cluster);
        writers = Writers.start(cluster);
        writers.awaitMore(20);
    }

    @AfterEach
    void clientsGo() {
        writers.close();
    }

    @Test
    void membersAddedByHandAreRemoved() {
        for (boolean learner : List.of(false, true)) {
            String stranger = addByHand(learner);
            eventually()
                    .untilAsserted(() -> assertThat(cluster.events())
                            .anyMatch(event -> event.getType().equals("Warning")
                                    && event.getReason().equals("MemberRemoved")
                                    && event.getMessage().contains(stranger)));
            cluster.awaitSize(3);
            assertThat(Identity.of(cluster)).isEqualTo(before);
            try (Etcd etcd = anyMember()) {
                assertThat(etcd.members()).doesNotContainKey(stranger);
            }
        }
        keptEverything();
    }

    @Test
    void aMemberRemovedByHandIsReplaced() {
        String removed = before.memberIds().get("ours-1");
        try (Etcd etcd = anyMember()) {
            etcd.removeMember(removed);
        }
        eventually()
                .untilAsserted(() -> assertThat(cluster.memberIds().get("ours-1"))
                        .as(cluster.conditions())
                        .isNotNull()
                        .isNotEqualTo(removed));
        cluster.awaitSize(3);
        cluster.awaitEvents("MemberReplaced");
        assertThat(cluster.memberIds())
                .containsEntry("ours-0", before.memberIds().get("ours-0"))
                .containsEntry("ours-2", before.memberIds().get("ours-2"));
        keptEverything();
    }

    @Test
    void peersDeletedByHandComeBack() {
        List<String> old = uids();
        KUBE.resources(EtcdPeer.class).inNamespace(namespace.name()).delete();
        eventually().until(() -> uids().size() == 3 && uids().stream().noneMatch(old::contains));
        cluster.awaitSize(3);
        assertThat(Identity.of(cluster)).isEqualTo(before);
        keptEverything();
    }

    /** etcd refuses for some seconds after a change of its members. */
    private String addByHand(boolean learner) {
        return eventually()
                .until(
                        () -> {
                            try (Etcd etcd = anyMember()) {
                                return etcd.addMember("http://stranger-%s.example:2380".formatted(learner), learner);
                            }
                        },
                        id -> true);
    }

    private Etcd anyMember() {
        return Etcd.of(cluster.pod("ours-0"));
    }

    private List<String> uids() {
        return cluster.peers().stream()
                .map(HasMetadata::getMetadata)
                .filter(peer -> peer.getDeletionTimestamp() == null)
                .map(peer -> peer.getUid())
                .toList();
    }

    private void keptEverything() {
        writers.awaitMore(20);
        writers.stop();
        writers.assertNothingLost();
    }
}
