package etcdoperator.agent;

import etcdoperator.agent.disk.BoltPages;
import etcdoperator.agent.disk.StillFile;
import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.AgentReport.Contents;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The data directory of a member that does not run. Nothing here finds out whether it does: etcd holds its database by
 * a lock of a kind that Java does not know, and that ends at the node. Whoever starts this agent has stopped the member;
 * that nobody has started it meanwhile shows at the end, before anything is stored.
 */
final class VolumeSource implements Source {
    private static final String UNKNOWN = "unknown";
    private static final int CHUNK = 64 << 10;

    private final Path file;
    private final String version;
    private final Optional<String> clusterId;
    private final long size;
    private final HashedInput stream;

    private VolumeSource(Path file, String version, Optional<String> clusterId, long size, HashedInput stream) {
        this.file = file;
        this.version = version;
        this.clusterId = clusterId;
        this.size = size;
        this.stream = stream;
    }

    /** @param version of the etcd that wrote it, which nobody here can be asked for @param clusterId likewise */
    static VolumeSource open(Path dataDir, Optional<String> version, Optional<String> clusterId)
            throws IOException, AgentException {
        Path file = dataDir.resolve("member/snap/db");
        try {
            var still = new StillFile(file);
            return new VolumeSource(
                    file, version.orElse(UNKNOWN), clusterId, still.sizeBytes(), new HashedInput(still));
        } catch (NoSuchFileException e) {
            throw AgentException.fatal(file + " does not exist: the volume holds no data of etcd");
        }
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public String place() {
        return file.toString();
    }

    /** Takes another look at the whole file: only a path that has the revision in it needs it so early. */
    @Override
    public long revision() throws IOException {
        var pages = new BoltPages();
        byte[] some = new byte[CHUNK];
        try (InputStream in = Files.newInputStream(file)) {
            for (int length = in.read(some); length >= 0; length = in.read(some)) {
                pages.update(some, 0, length);
            }
        }
        return pages.lastRevision().orElse(0);
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Optional<String> clusterId() {
        return clusterId;
    }

    @Override
    public long sizeBytes() {
        return size + SnapshotCheck.HASH;
    }

    /** Nobody runs who could be asked. */
    @Override
    public Optional<Contents> contents(long atRevision) {
        return Optional.empty();
    }

    @Override
    public InputStream stream() {
        return stream;
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
