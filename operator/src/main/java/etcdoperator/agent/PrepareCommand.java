package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.commandline.Flag;
import java.io.IOException;
import java.nio.file.Path;

/** Begins the second part of a restore, in a pod without any identity: what the first one fetched is restored here. */
public final class PrepareCommand extends AgentCommand {
    @Flag(name = "--to", required = true, description = "The volume.")
    private Path to = Path.of("");

    @Flag(name = "--uid", required = true, description = "Of the restore.")
    private String uid = "";

    @Override
    public String purpose() {
        return "Makes DIR ready for etcdutl, after a fetch in another pod.";
    }

    @Override
    String work(Progress progress) throws AgentException, IOException {
        if (new RestoreFolder(to, uid).prepare()) {
            return "the fetched snapshot is ready to be restored";
        }
        throw AgentException.inPlace("the data is in place already");
    }
}
