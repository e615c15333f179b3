package etcdoperator.bench;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What is done to pods, disks and nodes, from the machine under the test bed. */
final class Faults {
    private final KubernetesClient client;

    Faults(KubernetesClient client) {
        this.client = client;
    }

    /** Nothing is flushed and nobody is told; then the pods go too, so that others have to come. */
    void kill(List<Pod> pods) throws IOException, InterruptedException {
        killProcesses(pods);
        pods.forEach(pod -> client.resource(pod).withGracePeriod(0).delete());
    }

    void loseDisk(Pod pod, String claim) throws IOException, InterruptedException {
        long process = process(pod);
        signal("STOP", process);
        testbed("lose-disk", pod.getMetadata().getNamespace(), claim);
        signal("KILL", process);
    }

    /** A member, found before the clock starts: to look through all processes takes longer than to lose a disk. */
    record Victim(Pod pod, String claim, long process) {}

    static Victim victim(Pod pod, String claim) throws IOException {
        return new Victim(pod, claim, process(pod));
    }

    /** Nobody hands over or is replaced meanwhile: they stand still while their claims go, and their volumes go with these. */
    void loseWithClaims(List<Victim> victims) throws IOException, InterruptedException {
        for (Victim victim : victims) {
            signal("STOP", victim.process());
        }
        for (Victim victim : victims) {
            client.persistentVolumeClaims()
                    .inNamespace(victim.pod().getMetadata().getNamespace())
                    .withName(victim.claim())
                    .delete();
        }
        for (Victim victim : victims) {
            signal("KILL", victim.process());
        }
        victims.forEach(
                victim -> client.resource(victim.pod()).withGracePeriod(0).delete());
    }

    void testbed(String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("testbed/testbed"));
        line.addAll(List.of(arguments));
        run(line);
    }

    private void killProcesses(List<Pod> pods) throws IOException, InterruptedException {
        List<Long> processes = new ArrayList<>();
        for (Pod pod : pods) {
            processes.add(process(pod));
        }
        for (long process : processes) {
            signal("KILL", process);
        }
    }

    private static void signal(String name, long process) throws IOException, InterruptedException {
        run(List.of("kill", "-" + name, Long.toString(process)));
    }

    private static long process(Pod pod) throws IOException {
        String uid = pod.getMetadata().getUid();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> read(process, "comm").strip().equals("etcd")
                            && read(process, "mountinfo").contains(uid))
                    .map(process -> Long.parseLong(process.getFileName().toString()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("No etcd of pod " + uid + " on this machine"));
        }
    }

    private static String read(Path folder, String file) {
        try {
            return Files.readString(folder.resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // no process, or gone
        }
    }

    private static void run(List<String> line) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", line) + " failed:\n" + output);
        }
    }
}
