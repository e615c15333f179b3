package io.improbable.etcd.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.etcd.Alarm;
import io.improbable.etcd.etcd.EtcdClient;
import io.improbable.etcd.etcd.EtcdException;
import io.improbable.etcd.etcd.EtcdException.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes on the loopback, of each line that is tested. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
class RealAuthIT extends AuthContract {
    private static final Duration SHORT = Duration.ofSeconds(2);

    @Parameter
    String version;

    @Override
    EtcdStage open() {
        return new ProcessStage(EtcdBinary.of(version));
    }

    /** Where somebody has enabled it by hand: 3.4 still tells its status and members, and protects much less. */
    @Test
    void whatIsStillSeenOfAClusterThatAsksForAPassword() throws EtcdException {
        formCluster();
        enable();
        boolean open = version.startsWith("3.4.");
        EtcdClient nobody = stage.client("b");
        Kind refused = open ? null : Kind.NO_ACCESS;
        assertThat(kind(() -> nobody.status(DEADLINE))).isEqualTo(refused);
        assertThat(kind(() -> nobody.members(DEADLINE))).isEqualTo(refused);
        assertThat(kind(() -> nobody.commitNothing(DEADLINE))).isEqualTo(refused);
        assertThat(kind(() -> nobody.compact(1, DEADLINE))).isEqualTo(refused);
        assertThat(kind(() -> nobody.disarm(new MemberId(1), Alarm.Kind.NOSPACE, DEADLINE)))
                .isEqualTo(refused);
        assertThat(kind(() -> nobody.moveLeader(new MemberId(1), DEADLINE)))
                .isEqualTo(open ? Kind.NOT_YET : Kind.NO_ACCESS);
    }

    /** Logging in takes a quorum; who has done so before goes on being heard. */
    @Test
    void withoutAQuorumOnlyWhoWasKnownBeforeIsHeard() throws EtcdException {
        formCluster();
        enable();
        EtcdClient known = root("a");
        known.linearizableRead(DEADLINE);
        stage.kill("b");
        stage.kill("c");
        stage.eventually("there is no leader", () -> {
            try {
                return !known.status(DEADLINE).knowsLeader();
            } catch (EtcdException e) {
                return false;
            }
        });
        assertThat(known.members(SHORT)).hasSize(3);
        assertThat(known.hashKv(0, SHORT).hashRevision()).isPositive();
        try (EtcdClient late = ((ProcessStage) stage).newClient("a", US)) {
            assertThat(kind(() -> late.hashKv(0, SHORT))).isEqualTo(Kind.NO_ANSWER);
            assertThat(kind(() -> late.status(SHORT))).isEqualTo(version.startsWith("3.4.") ? null : Kind.NO_ANSWER);
        }
    }
}
