package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The process that a pod is there for, seen from the machine: nodes of the test bed are no virtual machines. */
record HostProcess(ProcessHandle handle) {

    /** Asks anew: etcd may answer before its kubelet has told which container it is. */
    static HostProcess of(Pod pod) {
        String container = eventually()
                .until(() -> containerId(Testbed.KUBE.resource(pod).get()), Objects::nonNull)
                .replaceFirst("^containerd://", "");
        return new HostProcess(ProcessHandle.allProcesses()
                .filter(process -> isIn(container, process))
                .min(Comparator.comparing(ProcessHandle::pid))
                .orElseThrow(() -> new IllegalStateException("no process of container " + container)));
    }

    /** It stops where it stands, connections stay open, and nothing answers. */
    void freeze() {
        signal("STOP");
    }

    /** It goes on from where it stood. */
    void thaw() {
        signal("CONT");
    }

    /** As a crash would: nothing is flushed, nobody is told. Returns when it is gone. */
    void kill() {
        if (handle.isAlive()) {
            signal("KILL");
        }
        awaitEnd();
    }

    void awaitEnd() {
        eventually().until(() -> !handle.isAlive());
    }

    private void signal(String name) {
        Testbed.run("kill", "-" + name, Long.toString(handle.pid()));
    }

    private static @Nullable String containerId(Pod pod) {
        return pod.getStatus().getContainerStatuses().getFirst().getContainerID();
    }

    private static boolean isIn(String container, ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cgroup"))
                    .contains(container);
        } catch (IOException e) {
            return false; // it has ended since it was listed
        }
    }
}
