package etcdoperator.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What one run of a program took.
 *
 * @param peakMebibytes all that was in memory at once, programs and other files included
 * @param ownMebibytes without those, which the system can take back at any time
 */
record ProgramRun(double seconds, double cpuSeconds, double peakMebibytes, double ownMebibytes) {
    private static final int LOOK_MILLIS = 20;
    private static final double KIBIBYTES = 1024;

    /** One program after the other, as a script would run them. */
    ProgramRun and(ProgramRun next) {
        return new ProgramRun(
                seconds + next.seconds,
                cpuSeconds + next.cpuSeconds,
                Math.max(peakMebibytes, next.peakMebibytes),
                Math.max(ownMebibytes, next.ownMebibytes));
    }

    static ProgramRun of(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path log = Files.createTempFile("bench", ".log");
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        long begin = System.nanoTime();
        Process process = builder.start();
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        double peak = 0;
        double own = 0;
        double cpu = 0;
        while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            peak = Math.max(peak, mebibytes(proc, "VmHWM:"));
            own = Math.max(own, mebibytes(proc, "RssAnon:"));
            cpu = Math.max(
                    cpu, process.info().totalCpuDuration().map(Trial::seconds).orElse(0.0));
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (process.exitValue() != 0) {
            throw new IllegalStateException(command + " failed: " + Files.readString(log));
        }
        Files.delete(log);
        return new ProgramRun(seconds, cpu, peak, own);
    }

    /** 0 once it has ended, which the system says in several ways. */
    private static double mebibytes(Path process, String field) {
        try {
            return Files.readString(process.resolve("status"))
                    .lines()
                    .filter(line -> line.startsWith(field))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / KIBIBYTES)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
