package io.improbable.etcd.agent;

import io.improbable.etcd.etcd.Credentials;
import io.improbable.etcd.etcd.EtcdClient.MemberStatus;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes a snapshot of the etcd that runs on what was salvaged, once it has done all that is in its log. */
@Command(
        name = "capture",
        description = "Takes a snapshot of the etcd beside it to DIR/restore/snapshot.db, verified.",
        mixinStandardHelpOptions = true)
public final class CaptureCommand extends AgentCommand {
    @Option(names = "--endpoint", required = true, description = "URL of the etcd beside it.")
    private String endpoint = "";

    @Option(names = "--to", required = true, paramLabel = "DIR", description = "The volume of the member-to-be.")
    private Path to = Path.of("");

    @Option(names = "--uid", required = true, description = "Of the restore.")
    private String uid = "";

    @Option(
            names = "--root-dir",
            description = "Folder with the files username and password, where etcd asks for them.")
    private @Nullable Path rootDir;

    @Option(
            names = "--patience",
            defaultValue = "PT5M",
            description = "How long etcd may take to come up. Default: ${DEFAULT-VALUE}.")
    private Duration patience = Duration.ofMinutes(5);

    @Override
    String work(Progress progress) throws AgentException, IOException {
        var folder = new RestoreFolder(to, uid);
        long wanted = folder.noted();
        try (var etcd = new LocalEtcd(URI.create(endpoint), user())) {
            MemberStatus status = etcd.awaitCaughtUp(patience);
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
