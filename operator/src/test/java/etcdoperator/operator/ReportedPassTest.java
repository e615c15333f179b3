package etcdoperator.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.RecordingKube;
import etcdoperator.reconcile.WorkQueue;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class ReportedPassTest {
    private static final ObjectKey KEY = new ObjectKey("ns", "c");

    private final RecordingKube kube = new RecordingKube();
    private final FailureConditions conditions =
            new FailureConditions(Clock.fixed(Instant.parse("2026-01-01T12:00:00Z"), ZoneOffset.UTC));

    private static <T extends CustomResource<?, ?>> T named(T object) {
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace("ns")
                .withName("c")
                .withGeneration(3L)
                .build());
        return object;
    }

    private <T extends CustomResource<?, ?>> void runs(
            WorkQueue.Pass<ObjectKey> pass, T object, BiFunction<T, String, Optional<T>> failing) throws Exception {
        assertThat(new ReportedPass<>(pass, key -> Optional.of(object), failing, kube).run(KEY))
                .isEmpty();
    }

    private static Optional<Duration> fails(ObjectKey key) {
        throw new NullPointerException("password=secret");
    }

    @Test
    void aPassThatEndsIsLeftAlone() throws Exception {
        runs(key -> Optional.empty(), named(new EtcdCluster()), conditions::on);
        assertThat(kube.calls()).isEmpty();
    }

    @Test
    void aPassThatFailsIsSaidAndFails() {
        assertThatThrownBy(() -> runs(ReportedPassTest::fails, named(new EtcdCluster()), conditions::on))
                .isInstanceOf(NullPointerException.class);
        List<Condition> said = kube.clusterStatus().orElseThrow().conditions();
        assertThat(said).singleElement().satisfies(condition -> {
            assertThat(condition.getType()).isEqualTo("Degraded");
            assertThat(condition.getStatus()).isEqualTo("True");
            assertThat(condition.getReason()).isEqualTo("PassFailed");
            assertThat(condition.getMessage())
                    .contains("NullPointerException in operator.ReportedPassTest.fails")
                    .doesNotContain("secret");
        });
        assertThat(kube.told()).hasSize(1);
    }

    @Test
    void whatIsSaidIsNotSaidAgain() {
        EtcdCluster cluster = named(new EtcdCluster());
        assertThatThrownBy(() -> runs(ReportedPassTest::fails, cluster, conditions::on));
        cluster.setStatus(kube.clusterStatus().orElseThrow());
        kube.calls().clear();
        assertThatThrownBy(() -> runs(ReportedPassTest::fails, cluster, conditions::on));
        assertThat(kube.calls()).isEmpty();
    }

    @Test
    void aSilentApiServerIsNoFaultOfTheObject() {
        assertThatThrownBy(() -> runs(
                        key -> {
                            throw new KubernetesClientException("timeout");
                        },
                        named(new EtcdCluster()),
                        conditions::on))
                .isInstanceOf(KubernetesClientException.class);
        assertThat(kube.calls()).isEmpty();
    }

    @Test
    void theSameGoesForEveryKind() {
        assertThatThrownBy(() -> runs(ReportedPassTest::fails, named(new EtcdBackup()), conditions::on));
        assertThatThrownBy(() -> runs(ReportedPassTest::fails, named(new EtcdBackupSchedule()), conditions::on));
        assertThatThrownBy(() -> runs(ReportedPassTest::fails, named(new EtcdRestore()), conditions::on));
        assertThat(kube.calls())
                .containsExactly("status EtcdBackup c", "status EtcdBackupSchedule c", "status EtcdRestore c");
    }

    @Test
    void whatHasEndedStaysAsItEnded() {
        EtcdRestore restore = named(new EtcdRestore());
        restore.setStatus(Serialization.unmarshal("phase: Completed", EtcdRestoreStatus.class));
        assertThatThrownBy(() -> runs(ReportedPassTest::fails, restore, conditions::on));
        assertThat(kube.calls()).isEmpty();
    }

    @Test
    void evenARefusedReportEndsInTheSameFailure() {
        kube.refuses("status EtcdCluster c");
        assertThatThrownBy(() -> runs(ReportedPassTest::fails, named(new EtcdCluster()), conditions::on))
                .isInstanceOf(NullPointerException.class);
    }
}
