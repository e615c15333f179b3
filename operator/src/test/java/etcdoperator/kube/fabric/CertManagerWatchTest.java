package etcdoperator.kube.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.certmanager.Certificate;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.fabric.CertManagerWatch.State;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CertManagerWatchTest {
    private static final ClusterKey KEY = new ClusterKey("ns", "c");

    private final Deque<Runnable> beside = new ArrayDeque<>();
    private final List<ClusterKey> woken = new ArrayList<>();
    private final AtomicLong time = new AtomicLong();
    private Supplier<Boolean> there = () -> false;
    private final CertManagerWatch watch = new CertManagerWatch(
            new CertManagerWatch.Source() {
                @Override
                public boolean isThere() {
                    return there.get();
                }

                @Override
                public Optional<Watched<Certificate>> watch(Duration limit) {
                    return Optional.empty();
                }
            },
            woken::add,
            beside::add,
            time::get);

    @Test
    void nobodyWaitsForTheAnswer() {
        assertThat(watch.look(KEY)).isEqualTo(new State.Unknown());
        assertThat(watch.look(KEY)).isEqualTo(new State.Unknown());
        assertThat(beside).hasSize(1);
        beside.remove().run();
        assertThat(woken).containsExactly(KEY);
        assertThat(watch.look(KEY)).isEqualTo(new State.Known());
        assertThat(watch.of(KEY)).isEmpty();
    }

    @Test
    void itIsLookedForAgainAfterAWhile() {
        watch.look(KEY);
        beside.remove().run();
        watch.look(KEY);
        assertThat(beside).isEmpty();
        time.addAndGet(Duration.ofSeconds(10).toNanos());
        watch.look(KEY);
        assertThat(beside).hasSize(1);
    }

    @Test
    void anApiServerThatDoesNotAnswerIsSaid() {
        there = () -> {
            throw new KubernetesClientException("timeout");
        };
        watch.look(KEY);
        beside.remove().run();
        assertThat(watch.look(KEY)).isEqualTo(new State.Unreadable("the API server did not answer: timeout"));
    }

    /** The role of the operator may not cover them. */
    @Test
    void certificatesThatAreNotListedAreUnreadableAndOthersAreNotDelayed() {
        there = () -> true;
        watch.look(KEY);
        beside.remove().run();
        assertThat(watch.look(KEY)).isEqualTo(new State.Unreadable("the API server does not list them"));
        assertThat(watch.of(new ClusterKey("ns", "other"))).isEmpty();
    }
}
