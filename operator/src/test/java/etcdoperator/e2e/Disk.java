package etcdoperator.e2e;

import static etcdoperator.e2e.Testbed.KUBE;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The volume behind a claim, as the folder that it is on the machine under the test bed. */
record Disk(Path folder) {
    private static final int SPOILT_BYTES = 32 * 1024;

    static Disk of(TestCluster cluster, String claim) {
        String volume = KUBE.persistentVolumeClaims()
                .inNamespace(cluster.namespace())
                .withName(claim)
                .get()
                .getSpec()
                .getVolumeName();
        PersistentVolume found = KUBE.persistentVolumes().withName(volume).get();
        return new Disk(Path.of(
                found.getSpec().getHostPath() != null
                        ? found.getSpec().getHostPath().getPath()
                        : found.getSpec().getLocal().getPath()));
    }

    /** Empties the volumes of these members at once, and ends them, so that they find out. */
    static void lose(TestCluster cluster, List<String> peers) {
        List<HostProcess> processes =
                peers.stream().map(cluster::pod).map(HostProcess::of).toList();
        processes.forEach(HostProcess::freeze);
        peers.forEach(peer -> Testbed.testbed("lose-disk", cluster.namespace(), cluster.claimOf(peer)));
        processes.forEach(HostProcess::kill);
    }

    /** Deletes the claims of these members at once, and ends them, so that their volumes go, too. Returns when all claims are gone. */
    static void loseWithClaims(TestCluster cluster, List<String> peers) {
        List<String> claims = peers.stream().map(cluster::claimOf).toList();
        List<Pod> pods = peers.stream().map(cluster::pod).toList();
        List<HostProcess> processes = pods.stream().map(HostProcess::of).toList();
        // Without a quorum nobody can be replaced while the claims go one by one.
        processes.forEach(HostProcess::freeze);
        claims.forEach(claim -> KUBE.persistentVolumeClaims()
                .inNamespace(cluster.namespace())
                .withName(claim)
                .delete());
        // Pods before processes, or a kubelet might start one of them again, which makes a quorum for a moment.
        pods.forEach(pod -> KUBE.resource(pod).withGracePeriod(0).delete());
        processes.forEach(HostProcess::kill);
        claims.forEach(cluster::deleteClaim);
    }

    /** Leaves the volumes of these members empty, as when disks are not mounted, and ends them, so that they find out. */
    static List<Disk> unmount(TestCluster cluster, List<String> peers) {
        List<HostProcess> processes =
                peers.stream().map(cluster::pod).map(HostProcess::of).toList();
        List<Disk> disks =
                peers.stream().map(peer -> of(cluster, cluster.claimOf(peer))).toList();
        processes.forEach(HostProcess::freeze);
        disks.forEach(disk -> move(disk.data(), disk.away()));
        processes.forEach(HostProcess::kill);
        return disks;
    }

    /** Whatever etcd has made in the empty folder meanwhile is not seen any more. */
    void mount() {
        if (Files.exists(data())) {
            move(data(), folder.resolveSibling(folder.getFileName() + ".below"));
        }
        move(away(), data());
    }

    /** The folder itself goes, with all that is in it. */
    void vanish() {
        move(folder, away());
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Path away() {
        return folder.resolveSibling(folder.getFileName() + ".away");
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isThere() {
        return Files.exists(folder);
    }

    void spoilDatabase() {
        spoil("member/snap/db");
    }

    void spoilLog() {
        spoil("member/wal/0000000000000000-0000000000000000.wal");
    }

    /** Changes words of the same length wherever the database has them; @return whether it has them */
    boolean replaceInDatabase(String words, String others) {
        try (Stream<Path> files = Files.walk(folder)) {
            Path database = files.filter(path -> path.endsWith("member/snap/db"))
                    .findFirst()
                    .orElseThrow();
            String bytes = Files.readString(database, StandardCharsets.ISO_8859_1);
            try (FileChannel file = FileChannel.open(database, StandardOpenOption.WRITE)) {
                for (int at = bytes.indexOf(words); at >= 0; at = bytes.indexOf(words, at + 1)) {
                    file.write(ByteBuffer.wrap(others.getBytes(StandardCharsets.ISO_8859_1)), at);
                }
                file.force(true);
            }
            return bytes.contains(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes nonsense over the head of a file. */
    private void spoil(String end) {
        byte[] nonsense = new byte[SPOILT_BYTES];
        Arrays.fill(nonsense, (byte) 0xA5);
        try (Stream<Path> files = Files.walk(folder);
                FileChannel file = FileChannel.open(
                        files.filter(path -> path.endsWith(end)).findFirst().orElseThrow(), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(nonsense));
            file.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
