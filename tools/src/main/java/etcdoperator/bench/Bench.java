package etcdoperator.bench;

import etcdoperator.commandline.CommandLine;
import etcdoperator.commandline.Flag;
import etcdoperator.commandline.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Measures the operator that is installed on the test bed. Run by bench/bench, from the top of the repository. */
public final class Bench implements Role {
    /** What is measured on this machine alone. */
    private static final Set<String> WITHOUT_KUBERNETES = Set.of("m", "n");

    @Flag(
            name = "--only",
            description = "a: three members; b: start; c: 20 clusters; d: memory and CPU; e: API requests;"
                    + " f, g: 3 to 5 and back; h: pod kill; i: all pods killed; j: disk loss; k: node kill; l: roll;"
                    + " m: backup; n: fetch for a restore; o: two disks gone; p: all disks gone.")
    private Set<String> only = new LinkedHashSet<>(List.of("a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p".split(",")));

    @Flag(name = "--etcd", required = true)
    private Path etcd = Path.of("etcd");

    @Flag(name = "--programs", required = true)
    private Path programs = Path.of("bin");

    @Flag(name = "--audit-log", required = true)
    private Path auditLog = Path.of("audit.log");

    @Flag(name = "--commit", required = true)
    private String commit = "";

    @Flag(name = "--history", description = "Where a line for each measure is added.")
    private Path history = Path.of("bench", "history.csv");

    public static void main(String... arguments) throws Exception {
        System.exit(new CommandLine("bench", List.of(arguments), System.getenv(), System.out).run(new Bench()));
    }

    @Override
    public String purpose() {
        return "Measures the operator on the test bed.";
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var results = new Results(history, commit);
        if (!WITHOUT_KUBERNETES.containsAll(only)) {
            measureOperator(results);
        }
        if (!Collections.disjoint(only, WITHOUT_KUBERNETES)) {
            measureAgent(results);
        }
        results.print();
        results.remember();
        return 0;
    }

    private void measureOperator(Results results) throws IOException, InterruptedException {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            var bed = new Bed(client);
            var operator = OperatorProcess.installed(client);
            // Ctrl-C runs it as well as the normal end does.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> cleanUp(bed, operator.replicas())));
            bed.removeAll();
            warnOfOthers(bed);
            measure(bed, operator, results);
        }
    }

    private void measureAgent(Results results) throws IOException, InterruptedException {
        try (var stage = new TransferStage(etcd, programs)) {
            var agent = new AgentImage(Path.of("target/image/root").toAbsolutePath(), stage.folder());
            var transfers = new Transfers(stage, agent, results);
            if (only.contains("m")) {
                transfers.backups();
            }
            if (only.contains("n")) {
                transfers.restores();
            }
        }
    }

    private void measure(Bed bed, OperatorProcess operator, Results results) throws IOException, InterruptedException {
        var creation = new Creation(bed, results);
        if (only.contains("a")) {
            creation.threeMembers();
        }
        if (only.contains("b")) {
            new Start(bed, operator, results).firstReconcile();
        }
        if (only.contains("c")) {
            creation.twentyClusters();
        }
        if (only.contains("d") || only.contains("e")) {
            new Idle(bed, operator, new AuditLog(auditLog), results, only.contains("d"), only.contains("e"))
                    .oneAndMany();
        }
        if (!Collections.disjoint(only, List.of("f", "g", "h", "i", "j", "k", "l"))) {
            try (var upheaval = Upheaval.of(bed, results)) {
                measure(upheaval, operator);
            }
        }
        var disaster = new Disaster(bed, results);
        if (only.contains("o")) {
            disaster.twoDisksGone();
        }
        if (only.contains("p")) {
            disaster.allDisksGone();
        }
    }

    private void measure(Upheaval upheaval, OperatorProcess operator) throws IOException, InterruptedException {
        upheaval.nothing();
        if (only.contains("f") || only.contains("g")) {
            upheaval.scaling();
        }
        if (only.contains("h")) {
            upheaval.podKill();
        }
        if (only.contains("i")) {
            upheaval.allPodsKilled();
        }
        if (only.contains("j")) {
            upheaval.diskLoss();
        }
        if (only.contains("k")) {
            upheaval.nodeKill(operator);
        }
        if (only.contains("l")) {
            upheaval.roll();
        }
    }

    private static void warnOfOthers(Bed bed) {
        long others = bed.clustersOfOthers();
        if (others > 0) {
            System.err.printf("  Note: %d other clusters are tended here, and count in d and e.%n", others);
        }
    }

    /** With a client of its own: the one in use may be closed, or in the middle of something. */
    private static void cleanUp(Bed used, int replicas) {
        used.close();
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            new OperatorProcess(client, replicas).start();
            new Bed(client).removeAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
