package etcdoperator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.kube.Kube.StaleViewException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** Whatever is wrong with one key, the passes of others begin within a second. */
@Isolated("measures how long keys wait")
class HangingPassesTest {
    private static final int KEYS = 200;
    private static final int PLACES = 16;
    private static final Duration WITHIN = Duration.ofSeconds(1);

    private final QueueMeter meter = new QueueMeter();
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger blocked = new AtomicInteger();
    private final Map<String, Long> done = new ConcurrentHashMap<>();
    private WorkQueue<String> queue = queue(Places.Limits.of(PLACES));

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator.reconcile")).setLevel(Level.OFF);
    }

    @AfterAll
    static void loud() {
        ((Logger) LoggerFactory.getLogger("etcdoperator.reconcile")).setLevel(null);
    }

    @AfterEach
    void close() {
        ended.set(true);
        end.countDown();
        queue.close();
    }

    /** A key says what becomes of its pass, and its namespace: {@code slow-3/ns-3}. */
    private WorkQueue<String> queue(Places.Limits limits) {
        return new WorkQueue<>("key", key -> key.substring(key.indexOf('/') + 1), limits, this::pass, meter);
    }

    private Optional<Duration> pass(String key) throws StaleViewException {
        switch (key.substring(0, key.indexOf('-'))) {
            case "blocks" -> {
                blocked.incrementAndGet();
                awaitEnd(Duration.ofMinutes(5));
            }
            case "slow" -> awaitEnd(Duration.ofSeconds(2));
            case "computes" -> {
                while (!ended.get()) {
                    Thread.onSpinWait();
                }
            }
            case "throws" -> throw new IllegalStateException("on purpose");
            case "overflows" -> throw new StackOverflowError("on purpose");
            case "stale" -> throw new StaleViewException("on purpose");
            case "restless" -> {
                return ended.get() ? Optional.empty() : Optional.of(Duration.ZERO);
            }
            default -> done.put(key, System.nanoTime());
        }
        return Optional.empty();
    }

    private void awaitEnd(Duration longest) {
        try {
            end.await(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static List<String> keys(String kind, int count, boolean ofOneNamespace) {
        return IntStream.range(0, count)
                .mapToObj(i -> kind + "-" + i + "/" + (ofOneNamespace ? "ns" : kind + i))
                .toList();
    }

    private void othersBeginAtOnce(List<String> broken, boolean ofOneNamespace) {
        broken.forEach(queue::wake);
        for (int round = 0; round < 3; round++) {
            done.clear();
            List<String> well = keys("well", KEYS, ofOneNamespace);
            long began = System.nanoTime();
            well.forEach(queue::wake);
            await().atMost(Duration.ofSeconds(30)).until(() -> done.size() == KEYS);
            assertThat(Duration.ofNanos(
                            done.values().stream().mapToLong(at -> at).max().orElseThrow() - began))
                    .as("of %s, round %d", broken.getFirst(), round)
                    .isLessThan(WITHIN);
        }
    }

    @Test
    void oneThatBlocks() {
        othersBeginAtOnce(keys("blocks", 1, false), false);
    }

    /** As many as there are places, and more, so that without help all of them would be taken. */
    @Test
    void manyThatBlock() {
        othersBeginAtOnce(keys("blocks", 20, false), false);
        assertThat(meter.stalled()).isLessThan(WITHIN);
    }

    @Test
    void manyThatBlockInTheSameNamespace() {
        othersBeginAtOnce(keys("blocks", 20, true), true);
    }

    @Test
    void manyThatAreSlow() {
        othersBeginAtOnce(keys("slow", 40, false), false);
    }

    @Test
    void manyThatThrow() {
        othersBeginAtOnce(keys("throws", 20, false), false);
        othersBeginAtOnce(keys("overflows", 20, false), false);
        othersBeginAtOnce(keys("stale", 20, false), false);
    }

    @Test
    void manyThatNeverRest() {
        othersBeginAtOnce(keys("restless", 20, false), false);
    }

    /** A thread that only computes leaves a processor to no virtual thread. */
    @Test
    void someThatComputeWithoutEnd() {
        othersBeginAtOnce(keys("computes", 2, false), false);
    }

    /** A namespace has so many passes at once, and the places of all others are not among them. */
    @Test
    void aNamespaceThatHasMoreThanItsShare() {
        queue.close();
        queue = queue(new Places.Limits(4, Duration.ofMillis(50), 8, 512, Duration.ofMinutes(2)));
        othersBeginAtOnce(keys("blocks", 100, true), false);
        assertThat(blocked).hasValue(8);
        assertThat(meter.stalled()).as("somebody's pass begins").isLessThan(WITHIN);
    }

    /** With more of them than can run within the second, if all that came first went first. */
    @Test
    void namespacesTakeTurns() {
        queue.close();
        queue = queue(new Places.Limits(4, Duration.ofMillis(50), 512, 512, Duration.ofMinutes(2)));
        othersBeginAtOnce(keys("blocks", 300, true), false);
    }

    @Test
    void aPassThatHangsIsInterruptedAndTriedAgain() {
        queue.close();
        queue = queue(new Places.Limits(4, Duration.ofMillis(50), 8, 512, Duration.ofMillis(200)));
        queue.wake("blocks-1/ns");
        await().untilAsserted(() -> assertThat(meter.failures()).isGreaterThanOrEqualTo(2));
    }

    @Test
    void whereNoPassBeginsThatIsKnown() {
        queue.close();
        queue = queue(new Places.Limits(1, Duration.ofMinutes(5), 8, 512, Duration.ofMinutes(5)));
        queue.wake("blocks-1/ns");
        queue.wake("well-1/ns");
        await().untilAsserted(() -> assertThat(meter.stalled()).isGreaterThan(Duration.ofMillis(200)));
        end.countDown();
        await().untilAsserted(() -> assertThat(meter.stalled()).isZero());
    }
}
