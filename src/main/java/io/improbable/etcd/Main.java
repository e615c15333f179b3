package io.improbable.etcd;

import io.improbable.etcd.agent.BackupCommand;
import io.improbable.etcd.agent.CaptureCommand;
import io.improbable.etcd.agent.DeleteCommand;
import io.improbable.etcd.agent.DrillCommand;
import io.improbable.etcd.agent.FetchCommand;
import io.improbable.etcd.agent.FinishCommand;
import io.improbable.etcd.agent.InspectCommand;
import io.improbable.etcd.agent.SalvageCommand;
import io.improbable.etcd.agent.SurveyCommand;
import io.improbable.etcd.agent.WrongFlags;
import io.improbable.etcd.operator.OperatorCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The one entry point; the subcommand picks the role. */
@Command(
        name = "etcd-operator",
        description = "Runs etcd clusters on Kubernetes.",
        mixinStandardHelpOptions = true,
        subcommands = {
            OperatorCommand.class,
            BackupCommand.class,
            InspectCommand.class,
            FetchCommand.class,
            FinishCommand.class,
            DeleteCommand.class,
            SurveyCommand.class,
            SalvageCommand.class,
            CaptureCommand.class,
            DrillCommand.class
        })
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        var commands = new CommandLine(new Main());
        commands.setParameterExceptionHandler(new WrongFlags(commands.getParameterExceptionHandler()));
        System.exit(commands.execute(args));
    }
}
