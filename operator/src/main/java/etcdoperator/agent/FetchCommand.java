package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.CorruptSnapshotException;
import etcdoperator.commandline.Flag;
import etcdoperator.commandline.FlagGroup;
import etcdoperator.store.Store;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Brings a snapshot from a store to a volume, and takes nothing for good that is not verified. */
public final class FetchCommand extends AgentCommand {
    private static final int CHUNK = 64 << 10;

    /** etcdutl makes its data of the snapshot beside it. */
    private static final int COPIES = 2;

    @FlagGroup
    private StoreOptions place = new StoreOptions();

    @Flag(name = "--path", required = true, description = "Of the object.")
    private String path = "";

    @Flag(name = "--to", required = true, description = "The volume.")
    private Path to = Path.of("");

    @Flag(name = "--uid", required = true, description = "Of the restore.")
    private String uid = "";

    @Flag(name = "--sha256", description = "What the object has to amount to, in hex.")
    private @Nullable String sha256;

    @Override
    public String purpose() {
        return "Brings a stored snapshot to DIR/restore/snapshot.db, verified.";
    }

    @Override
    String work(Progress progress) throws AgentException, IOException {
        var folder = new RestoreFolder(to, uid);
        try (Store store = place.open()) {
            ObjectReader object = ObjectReader.of(store, place, path, progress);
            folder.begin();
            checkRoom(object, folder);
            var tally = new Tally();
            progress.transferring(tally::count);
            SnapshotCheck.Found found = object.read(tally, progress, form -> {
                if (form.isPlain()) {
                    tally.onlyCount();
                }
                return written(form, folder, object);
            });
            progress.size(found.sizeBytes());
            found.revision().ifPresent(progress::revision);
            String hash = tally.isHashed() ? tally.sha256() : found.sha256();
            progress.stored(tally.count(), hash);
            checkHash(object, hash);
            RestoreFolder.sync(folder.snapshot());
            return object.name() + " is fetched and verified";
        }
    }

    private SnapshotCheck.Found written(StoredForm form, RestoreFolder folder, ObjectReader object)
            throws IOException, AgentException {
        var check = new SnapshotCheck();
        byte[] some = new byte[CHUNK];
        long written = 0;
        try (OutputStream file = Files.newOutputStream(folder.snapshot())) {
            for (int length = form.content().read(some);
                    length >= 0;
                    length = form.content().read(some)) {
                check.update(some, 0, length);
                write(file, some, length, written, folder, object);
                written += length;
            }
        }
        return check.verify();
    }

    private static void write(
            OutputStream file, byte[] bytes, int length, long written, RestoreFolder folder, ObjectReader object)
            throws IOException, AgentException {
        try {
            file.write(bytes, 0, length);
        } catch (IOException e) {
            if (folder.roomBytes() >= length) {
                throw e;
            }
            throw tooSmall(object, folder, "more than " + written);
        }
    }

    private static void checkRoom(ObjectReader object, RestoreFolder folder) throws IOException, AgentException {
        Optional<Long> size = object.sidecar().map(AgentReport::sizeBytes);
        if (size.isPresent() && folder.roomBytes() < COPIES * size.get()) {
            throw tooSmall(object, folder, size.get().toString());
        }
    }

    private static AgentException tooSmall(ObjectReader object, RestoreFolder folder, String bytes)
            throws IOException, AgentException {
        return AgentException.fatal("the volume is too small: " + object.name() + " has " + bytes
                + " bytes as a snapshot, a restore takes twice as many, and the volume has " + folder.volumeBytes()
                + " bytes, " + folder.roomBytes() + " of them free: ask for more in the storage of the cluster");
    }

    private void checkHash(ObjectReader object, String found) throws IOException, AgentException {
        String written = object.sidecar().map(AgentReport::sha256).orElse(null);
        String expected = sha256 == null ? written : sha256;
        if (written != null && !written.equalsIgnoreCase(found) && written.equalsIgnoreCase(expected)) {
            throw AgentException.fatal(object.name() + " is a whole snapshot by etcd's own hash, but the record beside"
                    + " it, " + Sidecar.pathOf(path) + ", is of another object: its sha256 is " + found + ", and "
                    + written + " is recorded; " + Sidecar.CURE);
        }
        if (expected != null && !expected.equalsIgnoreCase(found)) {
            throw new CorruptSnapshotException(object.name() + " is corrupt or another object than it was: its sha256"
                    + " is " + found + ", and it was stored with " + expected);
        }
    }
}
