package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.AgentReport.Contents;
import etcdoperator.commandline.Flag;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Holds what an etcd that runs on a restored backup says against what was recorded when the backup was taken. */
public final class DrillCommand extends AgentCommand {
    /** One that cannot start on this data is started again and again; a large database takes its time. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @Flag(name = "--url", required = true, description = "Of that etcd.")
    private URI url = URI.create("");

    @Flag(name = "--root-dir", description = "Folder with the files username and password.")
    private @Nullable Path rootDir;

    @Flag(name = "--patience", description = "Seconds in which etcd has to answer. Default: 600.")
    private long patience;

    @Flag(name = "--revision", required = true, description = "The revision that the backup was recorded with.")
    private long revision;

    @Flag(name = "--hash-kv", description = "What HashKV said at that revision.")
    private @Nullable Long hashKv;

    @Flag(name = "--compact-revision", description = "Up to where etcd was compacted then.")
    private @Nullable Long compactRevision;

    @Flag(name = "--keys", description = "How many keys there were.")
    private @Nullable Long keys;

    @Override
    public String purpose() {
        return "Compares the etcd of a restored backup with what was recorded of the backup.";
    }

    @Override
    String work(Progress progress) throws AgentException, IOException {
        try (var etcd = new LocalEtcd(url, SourceOptions.login(rootDir))) {
            long reached = etcd.awaitCaughtUp(patience == 0 ? PATIENCE : Duration.ofSeconds(patience))
                    .revision();
            // More is no mistake: leases run out here, too.
            if (reached < revision) {
                throw AgentException.fatal(
                        "it holds revision %d, and revision %d was recorded when it was taken: what is"
                                        .formatted(reached, revision)
                                + " stored is not all that the cluster held; take another backup, and see who wrote there");
            }
            Contents found = etcd.contents(revision);
            progress.revision(revision);
            progress.contents(found);
            return new Comparison(revision, recorded(), found).verdict();
        }
    }

    /** All of it or nothing is recorded. */
    private Optional<Contents> recorded() {
        return hashKv == null || compactRevision == null || keys == null
                ? Optional.empty()
                : Optional.of(new Contents(hashKv, compactRevision, keys));
    }

    /** Of what was recorded and what was found. */
    record Comparison(long revision, Optional<Contents> recorded, Contents found) {
        private static final String CURE =
                "what is stored is not what the cluster held; take another backup, and keep this one to be looked at";

        /** @return a part of a sentence for users @throws AgentException where they differ */
        String verdict() throws AgentException {
            if (recorded.isEmpty()) {
                return "it holds revision %d and %d keys; their hash and number were not recorded when it was taken, so that nothing but the revision was compared"
                        .formatted(revision, found.keys());
            }
            Contents expected = recorded.get();
            if (found.keys() != expected.keys()) {
                throw AgentException.fatal("it holds %d keys at revision %d, and %d were counted when it was taken: %s"
                        .formatted(found.keys(), revision, expected.keys(), CURE));
            }
            if (found.compactRevision() != expected.compactRevision()) {
                return "it holds revision %d and the %d keys that were counted when it was taken; their hash was not compared, because it was taken after a compaction up to revision %d, and the backup is of before, compacted up to %d"
                        .formatted(revision, found.keys(), expected.compactRevision(), found.compactRevision());
            }
            if (found.hashKV() != expected.hashKV()) {
                throw AgentException.fatal(
                        "its %d keys at revision %d have the hash %d, and %d was recorded when it was taken: %s"
                                .formatted(found.keys(), revision, found.hashKV(), expected.hashKV(), CURE));
            }
            return "it holds revision %d, and the %d keys and their hash, %d, that were recorded when it was taken"
                    .formatted(revision, found.keys(), found.hashKV());
        }
    }
}
