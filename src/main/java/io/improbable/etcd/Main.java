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
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The one entry point; the subcommand picks the role. */
@Command(name = "etcd-operator", description = "Runs etcd clusters on Kubernetes.", mixinStandardHelpOptions = true)
public final class Main {
    private static final List<Class<?>> ROLES = List.of(
            OperatorCommand.class,
            BackupCommand.class,
            InspectCommand.class,
            FetchCommand.class,
            FinishCommand.class,
            DeleteCommand.class,
            SurveyCommand.class,
            SalvageCommand.class,
            CaptureCommand.class,
            DrillCommand.class);

    private Main() {}

    /** Knows only the role that is asked for, where it is one: to look at all of them makes every agent start later. */
    static CommandLine commands(List<String> arguments) {
        List<Class<?>> asked = ROLES.stream()
                .filter(role -> arguments.stream()
                        .findFirst()
                        .filter(role.getAnnotation(Command.class).name()::equals)
                        .isPresent())
                .toList();
        var commands = new CommandLine(new Main());
        (asked.isEmpty() ? ROLES : asked).forEach(commands::addSubcommand);
        return commands;
    }

    public static void main(String[] args) {
        CommandLine commands = commands(List.of(args));
        commands.setParameterExceptionHandler(new WrongFlags(commands.getParameterExceptionHandler()));
        System.exit(commands.execute(args));
    }
}
