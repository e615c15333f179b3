package etcdoperator.bench;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** The operator: its Deployment, and its process as the machine under the test bed sees it. */
final class OperatorProcess {
    static final String NAMESPACE = "etcd-operator-system";
    private static final String NAME = "etcd-operator";

    /** The unit of times in /proc. It is this on every Linux, whatever the kernel's own tick. */
    private static final int TICKS_PER_SECOND = 100;

    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final KubernetesClient client;
    private final int replicas;

    OperatorProcess(KubernetesClient client, int replicas) {
        this.client = client;
        this.replicas = replicas;
    }

    /** A bench that was cut off may have left it stopped. */
    static OperatorProcess installed(KubernetesClient client) {
        int now = deployment(client).get().getSpec().getReplicas();
        return new OperatorProcess(client, Math.max(1, now));
    }

    int replicas() {
        return replicas;
    }

    /** Ends it and waits until it is gone, so that the lease is free and the next one need not wait for it. */
    void stop() throws InterruptedException {
        deployment(client).scale(0);
        Poll.until("the operator is gone", INTERVAL, () -> pods().isEmpty());
    }

    void start() {
        deployment(client).scale(replicas);
    }

    void restart() throws InterruptedException {
        stop();
        start();
        Poll.until("the operator is ready", INTERVAL, () -> pods().stream().anyMatch(OperatorProcess::isReady));
    }

    /** The process that leads: with one replica, the only one. */
    Path find() throws IOException {
        String uid = pods().getFirst().getMetadata().getUid();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> read(process, "cmdline").contains("\0/app/etcd-operator.jar\0")
                            && read(process, "mountinfo").contains(uid))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("No process of pod " + uid + " on this machine"));
        }
    }

    /** The node that it runs on. */
    String node() {
        return pods().getFirst().getSpec().getNodeName();
    }

    static Instant startOf(Path process) {
        double uptime = Double.parseDouble(read(Path.of("/proc"), "uptime").split(" ")[0]);
        double age = uptime - Double.parseDouble(stat(process).get(19)) / TICKS_PER_SECOND;
        return Instant.now().minusMillis(Math.round(age * 1000));
    }

    /** Used by all threads so far, in user and in kernel mode. */
    static Duration cpuOf(Path process) {
        List<String> stat = stat(process);
        long ticks = Long.parseLong(stat.get(11)) + Long.parseLong(stat.get(12));
        return Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND);
    }

    static double rssMegabytesOf(Path process) {
        return read(process, "status")
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1024 / 1e6)
                .findFirst()
                .orElseThrow();
    }

    /** The fields of /proc/PID/stat after the name, which may hold blanks: the third of proc(5) is the first here. */
    private static List<String> stat(Path process) {
        String text = read(process, "stat");
        return List.of(text.substring(text.lastIndexOf(')') + 2).split(" "));
    }

    /** Processes come and go while one looks: one that is gone reads as nothing. */
    private static String read(Path folder, String file) {
        try {
            return Files.readString(folder.resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    private List<Pod> pods() {
        return client.pods()
                .inNamespace(NAMESPACE)
                .withLabel("app.kubernetes.io/component", "operator")
                .list()
                .getItems();
    }

    private static RollableScalableResource<Deployment> deployment(KubernetesClient client) {
        return client.apps().deployments().inNamespace(NAMESPACE).withName(NAME);
    }
}
