package etcdoperator.reconcile;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import etcdoperator.kube.Kube.StaleViewException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkQueueTest {
    private final QueueMeter meter = new QueueMeter();
    private final AtomicReference<WorkQueue.Pass<String>> pass = new AtomicReference<>(key -> Optional.empty());
    private final WorkQueue<String> queue =
            new WorkQueue<>("key", 2, key -> pass.get().run(key), meter);

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void aWokenKeyGetsOnePass() {
        queue.wake("a");
        await().untilAsserted(() -> assertThat(meter.passes()).isEqualTo(1));
    }

    @Test
    void wokenOftenWhileItsPassRunsAKeyGetsOneMore() throws Exception {
        var running = new Semaphore(0);
        var go = new Semaphore(0);
        pass.set(key -> {
            running.release();
            go.acquireUninterruptibly();
            return Optional.empty();
        });
        queue.wake("a");
        assertThat(running.tryAcquire(5, SECONDS)).isTrue();
        queue.wake("a");
        queue.wake("a");
        queue.wake("a");
        go.release(9);
        await().untilAsserted(() -> assertThat(meter.passes()).isEqualTo(2));
        queue.close();
        assertThat(meter.passes()).isEqualTo(2);
    }

    @Test
    void wokenOftenWhileItWaitsForItsTurnAKeyGetsOnePass() throws Exception {
        var running = new Semaphore(0);
        var go = new Semaphore(0);
        pass.set(key -> {
            running.release();
            go.acquireUninterruptibly();
            return Optional.empty();
        });
        queue.wake("a");
        queue.wake("b");
        assertThat(running.tryAcquire(2, 5, SECONDS)).isTrue();
        queue.wake("c");
        queue.wake("c");
        queue.wake("c");
        go.release(9);
        await().untilAsserted(() -> assertThat(meter.passes()).isEqualTo(3));
        queue.close();
        assertThat(meter.passes()).isEqualTo(3);
    }

    @Test
    void onlySoManyPassesRunAtOnce() throws Exception {
        var running = new Semaphore(0);
        var go = new Semaphore(0);
        pass.set(key -> {
            running.release();
            go.acquireUninterruptibly();
            return Optional.empty();
        });
        List.of("a", "b", "c").forEach(queue::wake);
        assertThat(running.tryAcquire(2, 5, SECONDS)).isTrue();
        assertThat(running.tryAcquire()).isFalse();
        go.release();
        assertThat(running.tryAcquire(5, SECONDS)).isTrue();
        go.release(2);
    }

    /** Woken from all sides and by its own timer, a key never has two passes at once. */
    @Test
    void aKeyNeverHasTwoPassesAtOnce() throws Exception {
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        pass.set(key -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            now.decrementAndGet();
            return Optional.of(Duration.ZERO);
        });
        List<Thread> wakers = IntStream.range(0, 3)
                .mapToObj(i -> Thread.ofPlatform().start(() -> {
                    while (meter.passes() < 30_000) {
                        queue.wake("a");
                        Thread.onSpinWait();
                    }
                }))
                .toList();
        for (Thread waker : wakers) {
            waker.join();
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void aPassSaysWhenItWantsToRunAgain() {
        pass.set(key -> meter.passes() < 2 ? Optional.of(Duration.ofMillis(1)) : Optional.empty());
        queue.wake("a");
        await().untilAsserted(() -> assertThat(meter.passes()).isEqualTo(3));
    }

    @Test
    void aKeyThatIsWokenBeforeItsTimeDoesNotRunAtItsTimeAsWell() {
        var itsTime = Duration.ofSeconds(1);
        var first = new AtomicLong();
        pass.set(key -> first.compareAndSet(0, System.nanoTime()) ? Optional.of(itsTime) : Optional.empty());
        queue.wake("a");
        await().untilAsserted(() -> assertThat(meter.passes()).isEqualTo(1));
        queue.wake("a");
        assumeTrue(System.nanoTime() - first.get() < itsTime.toNanos());
        await().during(itsTime.plusMillis(200))
                .untilAsserted(() -> assertThat(meter.passes()).isLessThanOrEqualTo(2));
        assertThat(meter.passes()).isEqualTo(2);
    }

    @Test
    void aFailedPassIsTriedAgainLessAndLessOften() {
        var at = new ConcurrentLinkedQueue<Long>();
        pass.set(key -> {
            at.add(System.nanoTime());
            if (at.size() < 4) {
                throw new IllegalStateException("on purpose");
            }
            return Optional.empty();
        });
        queue.wake("a");
        await().untilAsserted(() -> assertThat(meter.passes()).isEqualTo(4));
        assertThat(meter.failures()).isEqualTo(3);
        List<Long> times = List.copyOf(at);
        assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(199));
        assertThat(Duration.ofNanos(times.get(2) - times.get(1))).isGreaterThanOrEqualTo(Duration.ofMillis(399));
        assertThat(Duration.ofNanos(times.get(3) - times.get(2))).isGreaterThanOrEqualTo(Duration.ofMillis(799));
    }

    @ParameterizedTest
    @ValueSource(classes = {NoClassDefFoundError.class, StackOverflowError.class, AssertionError.class})
    void anErrorIsTriedAgainToo(Class<? extends Error> error) {
        pass.set(key -> {
            if (meter.failures() == 0) {
                throw make(error);
            }
            return Optional.empty();
        });
        queue.wake("a");
        await().untilAsserted(() -> assertThat(meter.passes()).isEqualTo(2));
        assertThat(meter.failures()).isEqualTo(1);
    }

    @Test
    void aStaleViewIsNoFailureAndIsLookedAtAgainSoon() {
        pass.set(key -> {
            if (meter.passes() < 2) {
                throw new StaleViewException("on purpose");
            }
            return Optional.empty();
        });
        queue.wake("a");
        await().untilAsserted(() -> assertThat(meter.passes()).isEqualTo(3));
        assertThat(meter.failures()).isZero();
    }

    @Test
    void afterTheEndNothingRunsAndNobodyIsHurt() throws Exception {
        var running = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        pass.set(key -> {
            running.countDown();
            awaitQuietly(go);
            return Optional.of(Duration.ZERO);
        });
        queue.wake("a");
        assertThat(running.await(5, SECONDS)).isTrue();
        Thread closing = Thread.ofVirtual().start(queue::close);
        go.countDown();
        closing.join();
        queue.wake("a");
        queue.wake("b");
        assertThat(meter.passes()).isEqualTo(1);
    }

    @Test
    void howLongTheOldestPassHasBeenRunningIsKnown() throws Exception {
        var running = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        pass.set(key -> {
            running.countDown();
            awaitQuietly(go);
            return Optional.empty();
        });
        assertThat(meter.oldestUnderWay()).isZero();
        queue.wake("a");
        assertThat(running.await(5, SECONDS)).isTrue();
        assertThat(meter.oldestUnderWay()).isPositive();
        go.countDown();
        await().untilAsserted(() -> assertThat(meter.oldestUnderWay()).isZero());
        assertThat(meter.secondsSpent()).isPositive();
    }

    private static Error make(Class<? extends Error> error) {
        try {
            return error.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
