package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.commandline.Flag;
import java.io.IOException;
import java.nio.file.Path;

/** Puts what etcdutl restored where etcd looks for it. */
public final class FinishCommand extends AgentCommand {
    @Flag(name = "--to", required = true, description = "The volume.")
    private Path to = Path.of("");

    @Flag(name = "--uid", required = true, description = "Of the restore.")
    private String uid = "";

    @Override
    public String purpose() {
        return "Ends a restore: moves DIR/restore/data to DIR/data.";
    }

    @Override
    String work(Progress progress) throws AgentException, IOException {
        new RestoreFolder(to, uid).finish();
        return "the data is restored";
    }
}
