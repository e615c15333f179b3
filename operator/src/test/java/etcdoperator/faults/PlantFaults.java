package etcdoperator.faults;

import etcdoperator.faults.ClassRun.Result;
import etcdoperator.faults.Fault.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Plants each fault, runs the class that must find it, and says what has come of that. */
public final class PlantFaults {
    private final WorkTree tree;
    private final Path folder;
    private final Planting planting = new Planting();
    private final Map<String, Result> withoutFault = new TreeMap<>();

    private PlantFaults(WorkTree tree) {
        this.tree = tree;
        this.folder = tree.root().resolve("target/faults");
    }

    private enum Verdict {
        FOUND,
        MISSED,
        SKIPPED,
        ERROR
    }

    private record Outcome(Verdict verdict, String remark) {}

    /** @param arguments names of faults; none means all */
    public static void main(String... arguments) throws IOException, InterruptedException {
        var planter = new PlantFaults(WorkTree.around(Path.of("")));
        List<Fault> faults = planter.tree.faults();
        List<String> wanted = List.of(arguments);
        List<Fault> chosen = faults.stream()
                .filter(fault -> wanted.isEmpty() || wanted.contains(fault.name()))
                // Last those that install the operator, which also restores the CRDs.
                .sorted(Comparator.comparing(Fault::needs).thenComparing(Fault::name))
                .toList();
        if (chosen.size() < Math.max(1, wanted.size())) {
            System.err.println("no such fault among " + wanted + ": see the files in faults/");
            System.exit(2);
        }
        System.exit(planter.plant(chosen) ? 0 : 1);
    }

    private boolean plant(List<Fault> faults) throws IOException, InterruptedException {
        Map<Verdict, Integer> counts = new TreeMap<>();
        for (Fault fault : faults) {
            long begin = System.nanoTime();
            Outcome outcome = outcome(fault);
            counts.merge(outcome.verdict(), 1, Integer::sum);
            System.out.printf(
                    "%-8s %-34s %-24s %4d s  %s%n",
                    outcome.verdict().name().toLowerCase(Locale.ROOT),
                    fault.name(),
                    fault.text().foundBy(),
                    (System.nanoTime() - begin) / 1_000_000_000L,
                    outcome.remark());
        }
        int found = counts.getOrDefault(Verdict.FOUND, 0);
        int skipped = counts.getOrDefault(Verdict.SKIPPED, 0);
        int failed = faults.size() - found - skipped;
        System.out.printf(
                "%d passed, %d failed%s%n", found, failed, skipped == 0 ? "" : ", %d skipped".formatted(skipped));
        return failed == 0;
    }

    private Outcome outcome(Fault fault) throws IOException, InterruptedException {
        try {
            WorkTree.Planted planted = tree.plant(fault);
            List<Path> tests = tree.tests(fault);
            Optional<String> lacking = lacking(fault.needs());
            if (lacking.isPresent()) {
                return new Outcome(Verdict.SKIPPED, lacking.get());
            }
            // A class that fails anyway finds nothing. With a cluster that takes long, and 'make test' has shown it.
            if (fault.needs() == Needs.NOTHING && !(withoutFault(fault, tests) instanceof Result.Passed)) {
                return new Outcome(Verdict.ERROR, "the class fails without the fault too: see " + folder);
            }
            return verdict(run(fault, planted, tests));
        } catch (RottenFaultException e) {
            return new Outcome(Verdict.ERROR, e.getMessage());
        }
    }

    private static Outcome verdict(Result result) {
        return switch (result) {
            case Result.Failed(String test) -> new Outcome(Verdict.FOUND, test);
            case Result.Passed() -> new Outcome(Verdict.MISSED, "every test passed");
            case Result.Broken(String why) -> new Outcome(Verdict.ERROR, why);
        };
    }

    private Result withoutFault(Fault fault, List<Path> tests) throws IOException, InterruptedException {
        String name = fault.text().foundBy();
        if (!withoutFault.containsKey(name)) {
            Path output = Files.createDirectories(folder).resolve(name + "-without-fault.log");
            withoutFault.put(name, new ClassRun(tests, Optional.empty(), output).run());
        }
        return withoutFault.get(name);
    }

    private Result run(Fault fault, WorkTree.Planted planted, List<Path> tests)
            throws IOException, InterruptedException, RottenFaultException {
        Path place = emptied(folder.resolve(fault.name()));
        Path output = place.resolve("output.log");
        if (fault.needs() == Needs.OPERATOR) {
            try (Installation installed = Installation.with(planted, tree.root(), place)) {
                return new ClassRun(tests, Optional.empty(), output).run();
            }
        }
        Path classes = planting.compile(planted, place);
        return new ClassRun(tests, Optional.of(classes), output).run();
    }

    private static Optional<String> lacking(Needs needs) {
        return switch (needs) {
            case NOTHING -> Optional.empty();
            case ETCD ->
                hasEtcd() ? Optional.empty() : Optional.of("needs etcd: testbed/testbed build etcd-3.6, and all lines");
            case TESTBED, OPERATOR ->
                System.getenv("KUBECONFIG") != null
                        ? Optional.empty()
                        : Optional.of("needs a test bed: export KUBECONFIG=$(testbed/testbed kubeconfig)");
        };
    }

    /** Of every line that is tested: building one of them takes minutes. */
    private static boolean hasEtcd() {
        Path programs = Path.of(Optional.ofNullable(System.getenv("ETCD_OPERATOR_CACHE"))
                .orElse(System.getProperty("user.home") + "/.cache/etcd-operator"));
        try (Stream<Path> files = Files.list(programs.resolve("bin"))) {
            return files.filter(file -> Files.exists(file.resolve("etcd"))).count() >= 4;
        } catch (IOException e) {
            return false;
        }
    }

    private static Path emptied(Path place) throws IOException {
        if (Files.exists(place)) {
            try (Stream<Path> files = Files.walk(place)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        return Files.createDirectories(place);
    }
}
