package etcdoperator;

import etcdoperator.agent.BackupCommand;
import etcdoperator.agent.CaptureCommand;
import etcdoperator.agent.DeleteCommand;
import etcdoperator.agent.DrillCommand;
import etcdoperator.agent.FetchCommand;
import etcdoperator.agent.FinishCommand;
import etcdoperator.agent.InspectCommand;
import etcdoperator.agent.SalvageCommand;
import etcdoperator.agent.SurveyCommand;
import etcdoperator.commandline.CommandLine;
import etcdoperator.commandline.Role;
import etcdoperator.operator.OperatorCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The one entry point; the first word picks the role. */
public final class Main {
    private static final String PROGRAM = "etcd-operator";

    private Main() {}

    /** In the order in which they are listed. Nobody waits for the classes of a role that was not asked for. */
    static Map<String, Supplier<Role>> roles() {
        Map<String, Supplier<Role>> roles = new LinkedHashMap<>();
        roles.put("operator", OperatorCommand::new);
        roles.put("backup", BackupCommand::new);
        roles.put("inspect", InspectCommand::new);
        roles.put("fetch", FetchCommand::new);
        roles.put("finish", FinishCommand::new);
        roles.put("delete", DeleteCommand::new);
        roles.put("survey", SurveyCommand::new);
        roles.put("salvage", SalvageCommand::new);
        roles.put("capture", CaptureCommand::new);
        roles.put("drill", DrillCommand::new);
        return roles;
    }

    static String usage() {
        return roles().entrySet().stream()
                .map(role -> "  %-10s %s%n"
                        .formatted(role.getKey(), role.getValue().get().purpose()))
                .collect(Collectors.joining("", "Usage: " + PROGRAM + " ROLE [--help] [FLAGS]%n%n".formatted(), ""));
    }

    public static void main(String[] args) throws Exception {
        Supplier<Role> asked = args.length == 0 ? null : roles().get(args[0]);
        if (asked == null) {
            boolean help = args.length == 1 && List.of("-h", "--help", "help").contains(args[0]);
            (help ? System.out : System.err).print(usage());
            System.exit(help ? 0 : CommandLine.WRONG);
        } else {
            List<String> flags = List.of(args).subList(1, args.length);
            System.exit(new CommandLine(PROGRAM + " " + args[0], flags, System.getenv(), System.out).run(asked.get()));
        }
    }
}
