package etcdoperator.operator;

import etcdoperator.api.backup.DrillStatus.DrillResult;
import etcdoperator.kube.Tally;
import etcdoperator.reconcile.QueueMeter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Locale;

/** What Prometheus gets: how the loop fares. None per cluster, or two thousand of them would be the heaviest load. */
final class Metrics {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final Tally tally;
    private final DrillFigures drills;

    Metrics(Operator operator) {
        this.tally = operator.tally();
        this.drills = operator.backupWork().drillFigures();
        queue("cluster", operator.clusterMeter());
        queue("peer", operator.peerMeter());
        queue("backup", operator.backupWork().backupMeter());
        queue("schedule", operator.backupWork().scheduleMeter());
        queue("restore", operator.backupWork().restoreMeter());
        drills();
        Gauge.builder("etcd.operator.leading", operator, o -> o.state() == Operator.State.RUNNING ? 1 : 0)
                .description("1 where this process tends clusters, 0 on a standby")
                .register(registry);
        List.of(new JvmMemoryMetrics(), new ProcessorMetrics(), new UptimeMetrics())
                .forEach(binder -> binder.bindTo(registry));
    }

    String scrape() {
        tally.reasons()
                .forEach(reason -> FunctionCounter.builder("etcd.operator.events", tally, t -> t.of(reason))
                        .description(
                                "What was done and seen, by the reason of its Event: MemberAdded, MemberReplaced, …")
                        .tag("reason", reason)
                        .register(registry));
        return registry.scrape();
    }

    private void drills() {
        for (DrillResult result : DrillResult.values()) {
            Gauge.builder("etcd.operator.drills", drills, all -> all.count(result))
                    .description("Schedules whose last drill came to this")
                    .tag("result", result.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        Gauge.builder("etcd.operator.drill.last.timestamp.seconds", drills, DrillFigures::last)
                .description("When the last drill of any schedule ended")
                .register(registry);
        Gauge.builder("etcd.operator.drill.oldest.success.timestamp.seconds", drills, DrillFigures::oldestSuccess)
                .description("Of the schedules with drills, when that one last passed which has not for the longest; 0"
                        + " where one never has")
                .register(registry);
        Gauge.builder("etcd.operator.drill.longest.seconds", drills, DrillFigures::longest)
                .description("How long the last drill took, of the schedule where it took longest")
                .register(registry);
    }

    private void queue(String kind, QueueMeter meter) {
        Tags tags = Tags.of("kind", kind);
        FunctionCounter.builder("etcd.operator.passes", meter, QueueMeter::passes)
                .description("Passes run")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("etcd.operator.passes.failed", meter, QueueMeter::failures)
                .description("Passes that failed and were tried again")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("etcd.operator.passes.seconds", meter, QueueMeter::secondsSpent)
                .description("Time spent in passes")
                .tags(tags)
                .register(registry);
        Gauge.builder(
                        "etcd.operator.oldest.pass.seconds",
                        meter,
                        m -> m.oldestUnderWay().toMillis() / 1e3)
                .description("How long the oldest pass under way has been running")
                .tags(tags)
                .register(registry);
    }
}
