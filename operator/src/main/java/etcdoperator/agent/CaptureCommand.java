package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.commandline.Flag;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes a snapshot of the etcd that runs on what was salvaged, once it has done all that is in its log. */
public final class CaptureCommand extends AgentCommand {
    /** For etcd to come up on a long log. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Flag(name = "--endpoint", required = true, description = "URL of the etcd beside it.")
    private String endpoint = "";

    @Flag(name = "--to", required = true, description = "The volume of the member-to-be.")
    private Path to = Path.of("");

    @Flag(name = "--uid", required = true, description = "Of the restore.")
    private String uid = "";

    @Flag(name = "--root-dir", description = "Folder with the files username and password, where etcd asks for them.")
    private @Nullable Path rootDir;

    @Override
    public String purpose() {
        return "Takes a snapshot of the etcd beside it to DIR/restore/snapshot.db, verified.";
    }

    @Override
    String work(Progress progress) throws AgentException, IOException {
        var folder = new RestoreFolder(to, uid);
        long wanted = folder.noted();
        try (var etcd = new LocalEtcd(URI.create(endpoint), user())) {
            MemberStatus status = etcd.awaitCaughtUp(PATIENCE);
            long applied = etcd.appliedIndex();
            // It has done one more to show that it has caught up.
            if (applied <= wanted) {
                throw AgentException.forNow(
                        "etcd has done its log up to index %d only, and it goes to %d".formatted(applied, wanted));
            }
            SnapshotCheck.Found found = saved(etcd, folder);
            progress.size(found.sizeBytes());
            progress.revision(found.revision().orElse(status.revision()));
            return "the log is done up to index %d, and the snapshot holds revision %d"
                    .formatted(applied, found.revision().orElse(status.revision()));
        }
    }

    private static SnapshotCheck.Found saved(LocalEtcd etcd, RestoreFolder folder) throws AgentException, IOException {
        try {
            return etcd.save(folder.snapshot());
        } catch (IOException e) {
            if (folder.isFull()) {
                throw folder.tooSmall("the snapshot does not fit");
            }
            throw e;
        }
    }

    /** The Secret may be missing: then etcd asks nobody. */
    private Optional<Credentials> user() throws IOException {
        if (rootDir == null || !Files.exists(rootDir.resolve("password"))) {
            return Optional.empty();
        }
        return Optional.of(new Credentials(
                Files.readString(rootDir.resolve("username")).strip(),
                Files.readString(rootDir.resolve("password")).strip()));
    }
}
