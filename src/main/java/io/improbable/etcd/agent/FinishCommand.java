package io.improbable.etcd.agent;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Puts what etcdutl restored where etcd looks for it. */
@Command(
        name = "finish",
        description = "Ends a restore: moves DIR/restore/data to DIR/data.",
        mixinStandardHelpOptions = true)
public final class FinishCommand extends AgentCommand {
    @Option(names = "--to", required = true, paramLabel = "DIR", description = "The volume.")
    private Path to = Path.of("");

    @Option(names = "--uid", required = true, description = "Of the restore.")
    private String uid = "";

    @Override
    String work(Progress progress) throws AgentException, IOException {
        new RestoreFolder(to, uid).finish();
        return "the data is restored";
    }
}
