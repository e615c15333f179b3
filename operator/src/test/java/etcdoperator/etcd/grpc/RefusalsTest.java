package etcdoperator.etcd.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import io.grpc.Status;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    /** etcd gives it the code of a lost connection. */
    @Test
    void aRefusedAdditionNamesCauseAndCure() {
        EtcdException refusal = of("member add", Status.UNAVAILABLE, "etcdserver: unhealthy cluster");
        assertThat(refusal.kind()).isEqualTo(Kind.NOT_YET);
        assertThat(refusal.why())
                .isEqualTo(
                        "member add: etcd refuses it while its leader has not been connected to every voter for 5s (etcdserver: unhealthy cluster); the operator tries again, and moves leadership if the leader is wrong about a voter that is healthy");
    }

    @Test
    void whatPassesIsToldInEtcdsWords() {
        EtcdException refusal = of("member promote", Status.UNAVAILABLE, "etcdserver: leader changed");
        assertThat(refusal.kind()).isEqualTo(Kind.NOT_YET);
        assertThat(refusal.why()).isEqualTo("member promote: etcd refuses it for now (etcdserver: leader changed)");
    }

    @Test
    void aLostConnectionIsOne() {
        EtcdException refusal = of("status", Status.UNAVAILABLE, "io exception");
        assertThat(refusal.kind()).isEqualTo(Kind.NO_ANSWER);
        assertThat(refusal.why()).isEqualTo("status: no connection");
    }

    private static EtcdException of(String what, Status status, String words) {
        return Refusals.of(what, status.withDescription(words).asRuntimeException(), Optional.empty());
    }
}
