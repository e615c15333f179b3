package etcdoperator.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** Stores 300 MB and reads them again, in a process that has far less memory. */
final class BigTransfer {
    private static final int MIB = 1 << 20;
    private static final int MEBIBYTES = 286;

    private BigTransfer() {}

    /** @return what the process said, which fails if it did */
    static String inLittleMemory(String... whereabouts) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:MaxDirectMemorySize=16m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BigTransfer.class.getName()));
        command.addAll(List.of(whereabouts));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** @param whereabouts a folder; or a bucket, its endpoint, and an access key with its secret */
    public static void main(String[] whereabouts) throws IOException {
        try (Store store = store(whereabouts)) {
            long start = System.nanoTime();
            long sent = send(store);
            long stored = System.nanoTime();
            long read = read(store);
            long end = System.nanoTime();
            if (sent != read) {
                throw new IllegalStateException("it is not as it was sent");
            }
            System.out.printf(
                    "it is as it was sent: %d MiB stored at %.0f MB/s, read at %.0f MB/s%n",
                    MEBIBYTES, speed(stored - start), speed(end - stored));
        }
    }

    private static Store store(String[] whereabouts) {
        if (whereabouts.length == 1) {
            return Store.in(Path.of(whereabouts[0]));
        }
        return Store.in(
                StoreAddress.parse(whereabouts[0], whereabouts[1], null, null),
                new StoreCredentials.AccessKey(whereabouts[2], whereabouts[3], Optional.empty()));
    }

    private static long send(Store store) throws IOException {
        var random = new SplittableRandom(1);
        var sum = new CRC32C();
        byte[] some = new byte[MIB];
        try (Upload upload = store.begin("big.db")) {
            for (int i = 0; i < MEBIBYTES; i++) {
                random.nextBytes(some);
                sum.update(some);
                upload.write(some);
            }
            upload.complete();
        }
        return sum.getValue();
    }

    private static long read(Store store) throws IOException {
        var sum = new CRC32C();
        byte[] some = new byte[MIB];
        try (InputStream stored = store.open("big.db")) {
            for (int length = stored.read(some); length >= 0; length = stored.read(some)) {
                sum.update(some, 0, length);
            }
        }
        return sum.getValue();
    }

    private static double speed(long nanos) {
        return MEBIBYTES * (double) MIB * 1_000 / nanos;
    }
}
