package io.improbable.etcd.simulation;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Scheduler, kubelets and disks. */
final class FakeNodes {
    /** A node that is cut off runs on, but nobody reaches it and it reaches nobody. */
    enum State {
        UP,
        DOWN,
        CUT_OFF
    }

    private static final int ADDRESSES = 9;

    private final FakeApiServer server;
    private final FakeEtcd etcd;
    private final Rules rules;
    private final Dice dice;
    private final Map<String, State> nodes = new TreeMap<>();
    private final Map<String, Volume> volumes = new TreeMap<>();
    private final Map<String, EtcdProcess> containers = new HashMap<>();

    FakeNodes(FakeApiServer server, FakeEtcd etcd, Rules rules, Dice dice) {
        this.server = server;
        this.etcd = etcd;
        this.rules = rules;
        this.dice = dice;
        List.of("node-1", "node-2", "node-3").forEach(node -> nodes.put(node, State.UP));
    }

    Map<String, State> states() {
        return nodes;
    }

    void set(String node, State state) {
        nodes.put(node, state);
        if (state == State.DOWN) {
            containers.values().stream()
                    .filter(process -> process.node().equals(node))
                    .forEach(EtcdProcess::kill);
        }
    }

    boolean isUp(String node) {
        return node != null && nodes.get(node) == State.UP;
    }

    boolean isDown(String node) {
        return node != null && nodes.get(node) == State.DOWN;
    }

    /** Claims come and go by name, disks by the claim's uid. */
    Volume volume(PersistentVolumeClaim claim) {
        String uid = claim.getMetadata().getUid();
        return volumes.computeIfAbsent(
                uid, key -> new Volume(claim.getMetadata().getName() + "/" + uid));
    }

    Optional<EtcdProcess> at(String address) {
        return server.list(Pod.class).stream()
                .filter(pod -> address.equals(pod.getStatus().getPodIP())
                        && isUp(pod.getSpec().getNodeName()))
                .findFirst()
                .map(pod -> containers.get(pod.getMetadata().getUid()));
    }

    Optional<EtcdProcess> processOf(Pod pod) {
        return Optional.ofNullable(containers.get(pod.getMetadata().getUid())).filter(EtcdProcess::isRunning);
    }

    /** @return everything that a kubelet or the scheduler would do now */
    List<Runnable> pending() {
        List<Runnable> work = new ArrayList<>();
        List<Pod> pods = server.list(Pod.class);
        for (Pod pod : pods) {
            next(pod).ifPresent(work::add);
        }
        containers.forEach((uid, process) -> {
            boolean abandoned =
                    pods.stream().noneMatch(pod -> pod.getMetadata().getUid().equals(uid));
            if (abandoned && process.isRunning() && isUp(process.node())) {
                work.add(process::kill);
            }
        });
        return work;
    }

    private Optional<Runnable> next(Pod pod) {
        Optional<PersistentVolumeClaim> claim = server.get(PersistentVolumeClaim.class, Objects.claimOf(pod));
        String node = pod.getSpec().getNodeName();
        if (node == null) {
            boolean usable = claim.isPresent() && !Objects.isDeleting(claim.get()) && !Objects.isDeleting(pod);
            return usable ? Optional.of(() -> place(pod)) : Optional.empty();
        }
        if (!isUp(node)) {
            return Optional.empty();
        }
        if (Objects.isDeleting(pod)) {
            return Optional.of(() -> end(pod));
        }
        if (pod.getStatus().getPodIP() == null) {
            return Optional.of(() -> giveAddress(pod));
        }
        boolean runs = processOf(pod).isPresent();
        if (!runs && claim.isPresent() && isFree(pod, claim.get())) {
            return Optional.of(() -> startContainer(pod, claim.get()));
        }
        PodStatus status = status(pod, runs);
        return status.equals(pod.getStatus()) ? Optional.empty() : Optional.of(() -> setStatus(pod, status));
    }

    private void place(Pod pod) {
        dice.pick(nodes.keySet().stream().filter(this::isUp).toList())
                .ifPresent(node -> server.change(pod, placed -> {
                    placed.setSpec(FakeControllers.onNode(placed.getSpec(), node));
                    return placed;
                }));
    }

    private void end(Pod pod) {
        processOf(pod).ifPresent(EtcdProcess::kill);
        server.remove(pod);
    }

    /** Addresses are few, so that they are soon given out again. */
    private void giveAddress(Pod pod) {
        List<String> taken = server.list(Pod.class).stream()
                .map(other -> other.getStatus().getPodIP())
                .toList();
        List<String> free = IntStream.range(0, ADDRESSES)
                .mapToObj(i -> "10.0.0." + i)
                .filter(address -> !taken.contains(address))
                .toList();
        dice.pick(free)
                .ifPresent(address -> setStatus(
                        pod,
                        new PodStatusBuilder(pod.getStatus()).withPodIP(address).build()));
    }

    /** A pod of the same ReplicaSet waits for its predecessor's file lock; any other pair is somebody's mistake. */
    private boolean isFree(Pod pod, PersistentVolumeClaim claim) {
        Optional<EtcdProcess> user = volume(claim).user();
        if (user.isPresent()) {
            boolean siblings = server.list(Pod.class).stream()
                    .filter(other -> processOf(other).equals(user))
                    .anyMatch(other -> Objects.controllerUid(other).equals(Objects.controllerUid(pod)));
            rules.sharedVolume(siblings, pod, user.get());
        }
        return user.isEmpty();
    }

    private void startContainer(Pod pod, PersistentVolumeClaim claim) {
        Volume volume = volume(claim);
        StartFlags flags = flags(pod);
        boolean formats = volume.data().isEmpty();
        EtcdProcess process = etcd.start(flags, volume, pod.getSpec().getNodeName());
        containers.put(pod.getMetadata().getUid(), process);
        if (formats && volume.data().isPresent()) {
            rules.formatted(process, claim);
        }
        setStatus(pod, status(pod, process.isRunning()));
    }

    private void setStatus(Pod pod, PodStatus status) {
        server.change(pod, changed -> {
            changed.setStatus(status);
            return changed;
        });
    }

    private static PodStatus status(Pod pod, boolean runs) {
        ContainerStatus container = runs
                ? new ContainerStatusBuilder()
                        .withName("etcd")
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .build()
                : new ContainerStatusBuilder()
                        .withName("etcd")
                        .withNewState()
                        .withNewWaiting()
                        .withReason("CrashLoopBackOff")
                        .endWaiting()
                        .endState()
                        .build();
        return new PodStatusBuilder()
                .withPodIP(pod.getStatus().getPodIP())
                .withConditions(new PodConditionBuilder()
                        .withType("Ready")
                        .withStatus(runs ? "True" : "False")
                        .build())
                .withContainerStatuses(container)
                .build();
    }

    /** The kubelet resolves a container's environment from the pod as it is at this start. */
    private static StartFlags flags(Pod pod) {
        var container = pod.getSpec().getContainers().getFirst();
        Map<String, String> arguments = new HashMap<>();
        container.getArgs().forEach(argument -> {
            int equals = argument.indexOf('=');
            arguments.put(argument.substring(2, equals), argument.substring(equals + 1));
        });
        Map<String, String> environment = new HashMap<>();
        container.getEnv().forEach(variable -> environment.put(variable.getName(), value(variable, pod)));
        return new StartFlags(
                arguments.get("name"),
                arguments.get("initial-advertise-peer-urls"),
                arguments.get("advertise-client-urls"),
                StartFlags.parseInitialCluster(environment.get("ETCD_INITIAL_CLUSTER")),
                environment.get("ETCD_INITIAL_CLUSTER_STATE"),
                environment.get("ETCD_INITIAL_CLUSTER_TOKEN"));
    }

    private static String value(EnvVar variable, Pod pod) {
        if (variable.getValueFrom() == null) {
            return variable.getValue();
        }
        String path = variable.getValueFrom().getFieldRef().getFieldPath();
        String annotation = path.substring(path.indexOf('\'') + 1, path.lastIndexOf('\''));
        return pod.getMetadata().getAnnotations().getOrDefault(annotation, "");
    }
}
