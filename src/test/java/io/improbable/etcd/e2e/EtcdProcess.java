package io.improbable.etcd.e2e;

import static io.improbable.etcd.e2e.Patience.eventually;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The etcd process of a pod, seen from the machine: nodes of the test bed are no virtual machines. */
record EtcdProcess(ProcessHandle handle) {

    static EtcdProcess of(Pod pod) {
        String container = pod.getStatus()
                .getContainerStatuses()
                .getFirst()
                .getContainerID()
                .replaceFirst("^containerd://", "");
        return new EtcdProcess(ProcessHandle.allProcesses()
                .filter(process -> isIn(container, process))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no process of container " + container)));
    }

    /** It stops where it stands, connections stay open, and nothing answers. */
    void freeze() {
        signal("STOP");
    }

    void thaw() {
        signal("CONT");
    }

    /** As a crash would: nothing is flushed, nobody is told. Returns when it is gone. */
    void kill() {
        signal("KILL");
        awaitEnd();
    }

    void awaitEnd() {
        eventually().until(() -> !handle.isAlive());
    }

    private void signal(String name) {
        Testbed.run("kill", "-" + name, Long.toString(handle.pid()));
    }

    private static boolean isIn(String container, ProcessHandle process) {
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        return read(proc.resolve("cgroup")).contains(container)
                && read(proc.resolve("comm")).equals("etcd");
    }

    private static String read(Path file) {
        try {
            return Optional.of(Files.readString(file)).map(String::strip).orElse("");
        } catch (java.nio.file.NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains("No such process")) {
                return "";
            }
            throw new UncheckedIOException(e);
        }
    }
}
