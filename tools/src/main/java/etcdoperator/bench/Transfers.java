package etcdoperator.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * A backup of a large database and the way back, by the agent and by etcd's and Amazon's own programs, in turns: what
 * else the machine does falls on both.
 */
final class Transfers {
    private static final int RUNS = 3;
    private static final double ENOUGH = 0.9;
    private static final double POD_MEBIBYTES = 192;

    private final TransferStage stage;
    private final AgentImage agent;
    private final Results results;

    Transfers(TransferStage stage, AgentImage agent, Results results) {
        this.stage = stage;
        this.agent = agent;
        this.results = results;
    }

    void backups() throws IOException, InterruptedException {
        List<ProgramRun> plain = new ArrayList<>();
        List<ProgramRun> ours = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            plain.add(told("etcdctl and upload", saveAndPut()));
            ours.add(told("agent", backup()));
        }
        double megabytes = stage.snapshotBytes() / 1e6;
        double seconds = median(ours);
        results.add("backup", "backup of %.0f MB by the agent".formatted(megabytes), "s", seconds);
        results.add("backup.native", "the same: etcdctl snapshot save, then upload", "s", median(plain));
        results.add("backup.throughput", "backup by the agent", "MB/s", megabytes / seconds);
        results.addAtLeast("backup.ratio", "  throughput, agent / native", "", median(plain) / seconds, ENOUGH);
        results.add("backup.cpu", "  CPU of the agent", "s", medianOf(ours, ProgramRun::cpuSeconds));
        memory("backup.memory", "  peak memory of the agent", ours);
        memory(
                "backup.memory-changed",
                "  the same, compressed and encrypted",
                List.of(told(
                        "agent, gzip and encryption",
                        backup("--compression=gzip", "--encryption-key-file=" + stage.key()))));
    }

    void restores() throws IOException, InterruptedException {
        ProgramRun.of(stage.s3("put", stage.save().toString(), TransferStage.BUCKET, "native.db"), stage.environment());
        backup();
        List<ProgramRun> plain = new ArrayList<>();
        List<ProgramRun> ours = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            Path file = stage.fresh("download").resolve("snapshot.db");
            plain.add(told(
                    "download",
                    ProgramRun.of(
                            stage.s3("get", TransferStage.BUCKET, "native.db", file.toString()), stage.environment())));
            Path volume = stage.fresh("volume");
            ours.add(told("agent", run("fetch", "--path=agent.db", "--to=" + volume, "--uid=bench")));
        }
        results.add("fetch", "fetch by the agent, verified and on disk", "s", median(ours));
        results.add("fetch.native", "the same: download, nothing verified", "s", median(plain));
        results.add("fetch.ratio", "  seconds, agent / native", "", median(ours) / median(plain));
        memory("fetch.memory", "  peak memory of the agent", ours);
    }

    private ProgramRun saveAndPut() throws IOException, InterruptedException {
        Path file = stage.fresh("native").resolve("snapshot.db");
        return ProgramRun.of(stage.etcdctl("snapshot", "save", file.toString()), stage.environment())
                .and(ProgramRun.of(
                        stage.s3("put", file.toString(), TransferStage.BUCKET, "native.db"), stage.environment()));
    }

    private ProgramRun backup(String... more) throws IOException, InterruptedException {
        List<String> flags = new ArrayList<>(
                List.of("--endpoints=" + stage.endpoint(), "--path=agent.db", "--time=2026-01-31T12:00:00Z"));
        flags.addAll(List.of(more));
        return run("backup", flags.toArray(String[]::new));
    }

    private ProgramRun run(String subcommand, String... flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(agent.command(subcommand));
        command.addAll(List.of(flags));
        command.addAll(stage.storeFlags());
        return ProgramRun.of(command, stage.environment());
    }

    private void memory(String key, String what, List<ProgramRun> runs) {
        double most = runs.stream().mapToDouble(ProgramRun::peakMebibytes).max().orElseThrow();
        double own = runs.stream().mapToDouble(ProgramRun::ownMebibytes).max().orElseThrow();
        String note = "%.0f MiB of it its own, the rest files".formatted(own);
        results.add(key, what, "MiB", most, OptionalDouble.of(POD_MEBIBYTES), note);
    }

    private static ProgramRun told(String who, ProgramRun run) {
        System.err.printf("  %s: %.1f s, %.1f s of CPU%n", who, run.seconds(), run.cpuSeconds());
        return run;
    }

    private static double median(List<ProgramRun> runs) {
        return medianOf(runs, ProgramRun::seconds);
    }

    private static double medianOf(List<ProgramRun> runs, ToDoubleFunction<ProgramRun> measure) {
        return runs.stream().mapToDouble(measure).sorted().toArray()[runs.size() / 2];
    }
}
