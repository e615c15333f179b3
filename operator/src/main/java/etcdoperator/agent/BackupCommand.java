package etcdoperator.agent;

import etcdoperator.agent.crypto.EncryptedOutput;
import etcdoperator.agent.crypto.EncryptionKey;
import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.AgentReport.State;
import etcdoperator.agentreport.CorruptSnapshotException;
import etcdoperator.commandline.Flag;
import etcdoperator.commandline.FlagGroup;
import etcdoperator.store.PathTemplate;
import etcdoperator.store.Store;
import etcdoperator.store.Upload;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Streams a snapshot into a store. It is there once it is verified, and not before. */
public final class BackupCommand extends AgentCommand {
    private static final int CHUNK = 64 << 10;

    @FlagGroup
    private SourceOptions source = new SourceOptions();

    @FlagGroup
    private StoreOptions place = new StoreOptions();

    @Flag(
            name = "--path",
            required = true,
            description = "Of the object; may have {namespace} {cluster} {time} {revision} {uid} {version}.")
    private String path = "";

    @Flag(name = "--namespace", description = "Of the cluster, for the path.")
    private String namespace = "default";

    @Flag(name = "--cluster", description = "Its name, for the path.")
    private String cluster = "etcd";

    @Flag(name = "--uid", description = "Of the backup, for its path.")
    private String uid = "none";

    @Flag(name = "--time", required = true, description = "When the backup was asked for: 2026-01-31T12:00:00Z.")
    private String time = "";

    @Flag(name = "--compression", description = "none or gzip.")
    private String compression = "none";

    @Override
    public String purpose() {
        return "Stores a snapshot of an etcd cluster.";
    }

    @Override
    String work(Progress progress) throws AgentException, IOException {
        PathTemplate template = new PathTemplate(path);
        Compression compressed = compression();
        Optional<EncryptionKey> key = place.key();
        Instant begun = time();
        try (Store store = place.open();
                Source snapshot = source.open()) {
            String object = template.fill(facts(template, snapshot, begun));
            progress.object(object, place.objectUrl(object).orElse(null));
            progress.taken(begun, snapshot);
            progress.form(compressed, key.isPresent());
            progress.size(snapshot.sizeBytes());
            upload(snapshot, store, object, compressed, key, progress);
            Sidecar.write(store, object, progress.report(State.COMPLETED, null));
            return done(place.name(object), progress.report(State.COMPLETED, null));
        }
    }

    private static void upload(
            Source snapshot,
            Store store,
            String object,
            Compression compressed,
            Optional<EncryptionKey> key,
            Progress progress)
            throws IOException {
        boolean changed = compressed != Compression.NONE || key.isPresent();
        var tally = new Tally();
        try (Upload upload = store.begin(object)) {
            progress.transferring(upload::transferredBytes);
            SnapshotCheck.Found found =
                    changed ? copyChanged(snapshot, upload, tally, compressed, key) : copy(snapshot, upload);
            progress.size(found.sizeBytes());
            long revision = found.revision().isPresent() ? found.revision().getAsLong() : snapshot.revision();
            progress.revision(revision);
            progress.stored(changed ? tally.count() : found.sizeBytes(), changed ? tally.sha256() : found.sha256());
            // At once: what is compacted meanwhile cannot be asked for any more.
            snapshot.contents(revision).ifPresent(progress::contents);
            upload.complete();
        }
    }

    private static SnapshotCheck.Found copyChanged(
            Source snapshot, Upload upload, Tally tally, Compression compressed, Optional<EncryptionKey> key)
            throws IOException {
        OutputStream stored = new TalliedOutput(upload, tally);
        OutputStream sealed = key.isPresent() ? new EncryptedOutput(stored, key.get()) : stored;
        try (OutputStream out = compressed.over(sealed)) {
            return copy(snapshot, out);
        }
    }

    private static SnapshotCheck.Found copy(Source snapshot, OutputStream out) throws IOException {
        var check = new SnapshotCheck();
        byte[] some = new byte[CHUNK];
        InputStream in = snapshot.stream();
        for (int length = in.read(some); length >= 0; length = in.read(some)) {
            check.update(some, 0, length);
            out.write(some, 0, length);
        }
        try {
            return check.verify();
        } catch (CorruptSnapshotException e) {
            throw new CorruptSnapshotException(snapshot.name() + " " + e.getMessage()
                    + "; nothing was stored: check the disk of that member, and back up another one");
        }
    }

    private PathTemplate.Facts facts(PathTemplate template, Source snapshot, Instant begun) throws IOException {
        long revision = template.text().contains("{revision}") ? snapshot.revision() : 0;
        return new PathTemplate.Facts(namespace, cluster, begun, revision, uid, snapshot.version());
    }

    private Compression compression() throws AgentException {
        for (Compression known : Compression.values()) {
            if (known.toString().equals(compression)) {
                return known;
            }
        }
        throw AgentException.fatal("--compression takes none or gzip");
    }

    private Instant time() throws AgentException {
        try {
            return Instant.parse(time);
        } catch (DateTimeParseException e) {
            throw AgentException.fatal("--time has to be an instant such as 2026-01-31T12:00:00Z");
        }
    }

    private static String done(String object, AgentReport report) {
        return object + " holds revision " + report.revision() + ", verified: " + report.sizeBytes()
                + " bytes, stored in " + report.storedBytes();
    }
}
