package io.improbable.etcd.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes the data of the survivor whose log goes furthest. None of their disks is ever written to. */
@Command(
        name = "salvage",
        description = "Copies the data of the member whose log goes furthest to DIR/restore/copy, all of it agreed on.",
        mixinStandardHelpOptions = true)
public final class SalvageCommand extends AgentCommand {
    @Option(
            names = "--survivor",
            required = true,
            paramLabel = "CLAIM=DIR",
            description = "A claim, and the folder where its volume is.")
    private Map<String, Path> survivors = new LinkedHashMap<>();

    @Option(names = "--to", required = true, paramLabel = "DIR", description = "The volume of the member-to-be.")
    private Path to = Path.of("");

    @Option(names = "--uid", required = true, description = "Of the restore.")
    private String uid = "";

    @Option(names = "--etcd-version", description = "What the survivors ran.")
    private @Nullable String etcdVersion;

    private final List<String> refusals = new ArrayList<>();
    private boolean passing;

    private record Survivor(String claim, DiskSurvey disk) {}

    @Override
    String work(Progress progress) throws AgentException, IOException {
        var folder = new RestoreFolder(to, uid);
        for (Survivor survivor : furthestFirst()) {
            folder.begin();
            if (copied(survivor, folder)) {
                DiskSurvey disk = survivor.disk();
                folder.note(disk.last().index());
                progress.salvaged(survivor.claim(), disk.written(), etcdVersion);
                return "claim %s goes furthest, to %s, of which %d entries were not known to be agreed on%s"
                        .formatted(survivor.claim(), disk.last(), disk.doubtful(), others());
            }
        }
        String said =
                "no member's disk can be used: %s; restore a backup instead".formatted(String.join("; ", refusals));
        throw passing ? AgentException.forNow(said) : AgentException.fatal(said);
    }

    private List<Survivor> furthestFirst() {
        List<Survivor> found = new ArrayList<>();
        survivors.forEach((claim, volume) -> {
            try {
                found.add(new Survivor(claim, DiskSurvey.of(volume.resolve("data"))));
            } catch (IOException e) {
                refuse(claim, e);
            } catch (UncheckedIOException e) {
                refuse(claim, new IOException(e));
            }
        });
        found.sort(Comparator.comparing((Survivor each) -> each.disk().last()).reversed());
        return found;
    }

    private boolean copied(Survivor survivor, RestoreFolder folder) throws AgentException, IOException {
        var copy = new DiskCopy(survivor.disk(), folder.copy());
        // The copy, what etcd makes of it, its snapshot, and what etcdutl restores from that.
        long needed = copy.bytes() + 2 * copy.grownBytes();
        if (folder.roomBytes() < needed) {
            throw folder.tooSmall(
                    "what is on claim %s takes %d bytes until it is restored".formatted(survivor.claim(), needed));
        }
        try {
            copy.make();
            return true;
        } catch (IOException e) {
            if (folder.isFull()) {
                throw folder.tooSmall("what is on claim %s does not fit".formatted(survivor.claim()));
            }
            refuse(survivor.claim(), e);
            return false;
        }
    }

    /** A disk that cannot be read now may be readable another time; one that makes no sense will never make any. */
    private void refuse(String claim, IOException why) {
        boolean hopeless = why instanceof UnusableDiskException;
        passing |= !hopeless;
        refusals.add("claim " + claim + (hopeless ? " " : " cannot be read: ") + why.getMessage());
    }

    private String others() {
        return refusals.isEmpty() ? "" : "; not used: " + String.join("; ", refusals);
    }
}
