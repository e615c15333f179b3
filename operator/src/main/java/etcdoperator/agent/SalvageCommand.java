package etcdoperator.agent;

import etcdoperator.agent.disk.DiskCopy;
import etcdoperator.agent.disk.DiskSurvey;
import etcdoperator.agentreport.AgentException;
import etcdoperator.commandline.Flag;
import etcdoperator.commandline.FlagGroup;
import java.io.IOException;
import java.nio.file.Path;

/** Takes all that is on a survivor's disk, which is never written to. */
public final class SalvageCommand extends AgentCommand {
    @FlagGroup
    private Survivor survivor = new Survivor();

    @Flag(name = "--to", required = true, description = "The volume of the member-to-be.")
    private Path to = Path.of("");

    @Flag(name = "--uid", required = true, description = "Of the restore.")
    private String uid = "";

    @Override
    public String purpose() {
        return "Copies the data of a stopped member to DIR/restore/copy, with all of its log agreed on.";
    }

    @Override
    String work(Progress progress) throws AgentException, IOException {
        DiskSurvey disk = survivor.survey();
        var folder = new RestoreFolder(to, uid);
        folder.begin();
        copy(disk, folder);
        check(disk, folder);
        folder.note(disk.indexAlone());
        progress.surveyed(survivor.claim(), disk);
        return "the log on claim %s goes to %s, of which %d entries were not known to be agreed on"
                .formatted(survivor.claim(), disk.last(), disk.doubtful());
    }

    /** etcd throws away what it does not know to be agreed on, and nobody could see it afterwards. */
    private void check(DiskSurvey disk, RestoreFolder folder) throws AgentException, IOException {
        DiskSurvey copied = DiskSurvey.of(folder.copy());
        if (!copied.last().equals(disk.last()) || copied.doubtful() != 0) {
            throw AgentException.forNow("the copy of claim %s goes to %s, %d entries of it not agreed on, and not to %s"
                    .formatted(survivor.claim(), copied.last(), copied.doubtful(), disk.last()));
        }
    }

    private void copy(DiskSurvey disk, RestoreFolder folder) throws AgentException, IOException {
        var copy = new DiskCopy(disk, folder.copy());
        // The copy, what etcd makes of it, its snapshot, and what etcdutl restores from that.
        long needed = copy.bytes() + 2 * copy.grownBytes();
        if (folder.roomBytes() < needed) {
            throw folder.tooSmall(
                    "what is on claim %s takes %d bytes until it is restored".formatted(survivor.claim(), needed));
        }
        try {
            copy.make();
        } catch (IOException e) {
            throw folder.isFull()
                    ? folder.tooSmall("what is on claim %s does not fit".formatted(survivor.claim()))
                    : survivor.unusable(e);
        }
    }
}
