package etcdoperator.operator;

import etcdoperator.kube.fabric.ResponseDates;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the lease that lets one operator act. Losing it ends the process at once: a pass that goes on after that would
 * be a second operator. A watchdog on the monotonic clock ends it, too, where renewals just stop coming back.
 */
final class Leadership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final int LOST = 3;

    private final KubernetesClient client;
    private final LeaderElector elector;
    private final Duration lease;
    private final ScheduledExecutorService watchdog = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("lease watchdog").factory());
    private volatile long renewedNanos;
    private volatile boolean leading;
    private volatile boolean closing;
    private @Nullable CompletableFuture<?> election;

    Leadership(
            String namespace,
            String name,
            String identity,
            Duration lease,
            ResponseDates dates,
            Runnable whenLeading,
            Runnable whenFollowing) {
        this.lease = lease;
        this.client = clientOfItsOwn(dates);
        this.elector = client.leaderElector()
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName(name)
                        .withLeaseDuration(lease)
                        .withRenewDeadline(lease.multipliedBy(2).dividedBy(3))
                        .withRetryPeriod(Duration.ofSeconds(2))
                        .withReleaseOnCancel(true)
                        .withLock(new TimedLock(namespace, name, identity))
                        .withLeaderCallbacks(new LeaderCallbacks(() -> begin(whenLeading), this::lost, leader -> {
                            if (closing) {
                                LOG.info("The lease is given back");
                                return;
                            }
                            LOG.info("{} holds the lease", leader);
                            if (!identity.equals(leader)) {
                                whenFollowing.run();
                            }
                        }))
                        .build())
                .build();
    }

    void start() {
        election = elector.start();
        watchdog.scheduleAtFixedRate(this::bark, 1, 1, TimeUnit.SECONDS);
    }

    /** Gives the lease back, so that the next one need not wait for it to run out. */
    @Override
    public void close() {
        closing = true;
        watchdog.shutdownNow();
        if (election != null) {
            election.cancel(true);
        }
        client.close();
    }

    private void begin(Runnable whenLeading) {
        leading = true;
        Thread.ofPlatform().name("start").start(() -> {
            try {
                whenLeading.run();
            } catch (RuntimeException e) {
                LOG.error("The operator could not start", e);
                Runtime.getRuntime().halt(1);
            }
        });
    }

    private void lost() {
        if (leading && !closing) {
            LOG.error("The lease is lost: stopping at once, another operator may be acting");
            Runtime.getRuntime().halt(LOST);
        }
    }

    private void bark() {
        if (leading && System.nanoTime() - renewedNanos > lease.toNanos()) {
            LOG.error("The lease was not renewed for {}: stopping at once", lease);
            Runtime.getRuntime().halt(LOST);
        }
    }

    /** Short time-outs and no retries: a call that hangs for longer than the lease would outlive it. */
    private static KubernetesClient clientOfItsOwn(ResponseDates dates) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withRequestTimeout(2_000)
                        .withConnectionTimeout(2_000)
                        .withRequestRetryBackoffLimit(0)
                        .withHttp2Disable(true)
                        .withUserAgent("etcd-operator/lease")
                        .build())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("dates", dates))
                .build();
    }

    /** A lock that knows when it was last renewed, by a clock that nobody sets. */
    private final class TimedLock extends LeaseLock {
        TimedLock(String namespace, String name, String identity) {
            super(namespace, name, identity);
        }

        @Override
        public void create(KubernetesClient client, LeaderElectionRecord leaderElectionRecord) {
            long asked = System.nanoTime();
            super.create(client, leaderElectionRecord);
            renewedNanos = asked;
        }

        @Override
        public void update(KubernetesClient client, LeaderElectionRecord leaderElectionRecord) {
            long asked = System.nanoTime();
            super.update(client, leaderElectionRecord);
            renewedNanos = asked;
        }
    }
}
