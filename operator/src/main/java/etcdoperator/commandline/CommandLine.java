package etcdoperator.commandline;

import java.io.PrintStream;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a role is started with. Strict, and small: an agent lives for less than a second, and the libraries for this
 * take a good part of one, either because they are too old for Java's caches or because of all that they can do.
 */
public record CommandLine(String program, List<String> words, Map<String, String> environment, PrintStream out) {
    private static final Logger LOG = LoggerFactory.getLogger(CommandLine.class);

    /** What a process ends with that was told nonsense, as shells have it. */
    public static final int WRONG = 2;

    /** @return the exit code */
    public int run(Role role) throws Exception {
        List<FlagField> flags = FlagField.of(role);
        if (words.contains("--help") || words.contains("-h")) {
            out.print(usage(role, flags));
            return 0;
        }
        try {
            read(flags);
        } catch (WrongFlagException e) {
            LOG.error("{}; see {} --help", e.why(), program);
            return role.refuse(e.why());
        }
        return role.call();
    }

    private void read(List<FlagField> flags) throws WrongFlagException {
        Map<String, FlagField> known =
                flags.stream().collect(Collectors.toMap(field -> field.flag().name(), field -> field));
        Set<String> given = new HashSet<>();
        for (Iterator<String> rest = words.iterator(); rest.hasNext(); ) {
            String word = rest.next();
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            FlagField field = known.get(name);
            if (field == null) {
                throw new WrongFlagException("there is no flag " + name);
            }
            if (!given.add(name)) {
                throw new WrongFlagException(name + " is given twice");
            }
            if (equals < 0 && !rest.hasNext()) {
                throw new WrongFlagException(name + " has no value");
            }
            field.set(equals < 0 ? rest.next() : word.substring(equals + 1));
        }
        for (FlagField field : flags) {
            if (!given.contains(field.flag().name())) {
                fromEnvironment(field);
            }
        }
    }

    /** Templates of pods leave empty what is not set. */
    private void fromEnvironment(FlagField field) throws WrongFlagException {
        String value = environment.getOrDefault(field.flag().variable(), "");
        if (!value.isBlank()) {
            field.set(value);
        } else if (field.flag().required()) {
            throw new WrongFlagException(field.flag().name() + " is not given");
        }
    }

    private String usage(Role role, List<FlagField> fields) {
        return fields.stream()
                .map(FlagField::flag)
                .filter(flag -> !flag.description().isEmpty())
                .map(CommandLine::described)
                .collect(Collectors.joining("", "Usage: %s [FLAGS]%n%s%n%n".formatted(program, role.purpose()), ""));
    }

    private static String described(Flag flag) {
        return "  %-22s %s%s%s%n"
                .formatted(
                        flag.name() + "=",
                        flag.description(),
                        flag.required() ? " Required." : "",
                        flag.variable().isEmpty() ? "" : " Environment: " + flag.variable() + ".");
    }
}
