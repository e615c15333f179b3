package etcdoperator.simulation.kube;

import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.FakeEtcd;
import etcdoperator.simulation.etcd.StartFlags;
import etcdoperator.simulation.etcd.Volume;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.replay.ManualClock;
import io.fabric8.kubernetes.api.model.Node;
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
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Scheduler, kubelets and disks. */
public final class FakeNodes {
    /** A node that is cut off runs on, but reaches only others that are, and nobody else reaches it. */
    public enum State {
        UP,
        DOWN,
        CUT_OFF
    }

    private static final int ADDRESSES = 12;

    private final FakeApiServer server;
    private final FakeEtcd etcd;
    private final Supplier<Witness> witness;
    private final Dice dice;
    private final ManualClock clock;
    private final Map<String, State> nodes = new TreeMap<>();
    private final FakeDisks disks;
    private final NodeObjects objects;
    private final Map<String, Container> containers = new HashMap<>();
    private final Map<String, String> outlines = new HashMap<>();
    private final MountedSecrets secrets;

    /** @param volumesStay whether a volume is tied to the node where it was first used */
    public FakeNodes(
            FakeApiServer server,
            FakeEtcd etcd,
            Supplier<Witness> witness,
            Dice dice,
            ManualClock clock,
            boolean volumesStay) {
        this.server = server;
        this.etcd = etcd;
        this.witness = witness;
        this.dice = dice;
        this.clock = clock;
        this.disks = new FakeDisks(volumesStay);
        this.objects = new NodeObjects(server);
        this.secrets = new MountedSecrets(server);
        for (String node : List.of("node-1", "node-2", "node-3")) {
            nodes.put(node, State.UP);
            objects.register(node);
        }
    }

    public Map<String, State> states() {
        return nodes;
    }

    public void set(String node, State state) {
        nodes.put(node, state);
        if (state == State.UP) {
            objects.register(node);
        }
        if (state == State.DOWN) {
            containers.values().stream()
                    .map(Container::process)
                    .filter(process -> process.node().equals(node))
                    .forEach(EtcdProcess::kill);
        }
    }

    public boolean isUp(String node) {
        return node != null && nodes.get(node) == State.UP;
    }

    /** Those that are cut off are so by one and the same break. */
    public boolean areOnOneSide(String one, String other) {
        return nodes.get(one) != State.DOWN && nodes.get(one) == nodes.get(other);
    }

    public boolean areAllUp() {
        return nodes.keySet().stream().allMatch(this::isUp);
    }

    public boolean isDown(String node) {
        return node != null && nodes.get(node) == State.DOWN;
    }

    public FakeDisks disks() {
        return disks;
    }

    public Volume volume(PersistentVolumeClaim claim) {
        return disks.volume(claim);
    }

    /** Somebody who knows that the machine is off says so: the node is deleted, or tainted. */
    public void declareDead(String node, boolean delete) {
        set(node, State.DOWN);
        objects.declareDead(node, delete);
    }

    public boolean isDeclaredDead(String node) {
        return objects.isDeclaredDead(node);
    }

    public Optional<EtcdProcess> at(String address) {
        return server.list(Pod.class).stream()
                .filter(pod -> address.equals(pod.getStatus().getPodIP())
                        && isUp(pod.getSpec().getNodeName()))
                .findFirst()
                .map(pod -> containers.get(pod.getMetadata().getUid()))
                .map(Container::process);
    }

    public Optional<EtcdProcess> processOf(Pod pod) {
        return Optional.ofNullable(containers.get(pod.getMetadata().getUid()))
                .map(Container::process)
                .filter(EtcdProcess::isRunning);
    }

    /** @return everything that a kubelet or the scheduler would do now */
    public List<Runnable> pending() {
        List<Runnable> work = new ArrayList<>();
        List<Pod> pods = server.list(Pod.class);
        for (Pod pod : pods) {
            String node = pod.getSpec().getNodeName();
            if (node != null && isDeclaredDead(node)) {
                work.add(() -> server.remove(pod));
            } else if (!Objects.isAgent(pod)) {
                next(pod).ifPresent(work::add);
            }
        }
        containers.forEach((uid, container) -> {
            EtcdProcess process = container.process();
            boolean abandoned = process.isRunning()
                    && isUp(process.node())
                    && pods.stream().noneMatch(pod -> pod.getMetadata().getUid().equals(uid));
            if (abandoned) {
                work.add(process::kill);
            }
        });
        server.list(Node.class).stream()
                .filter(node ->
                        NodeObjects.isReady(node) != isUp(node.getMetadata().getName()))
                .forEach(node -> work.add(() -> objects.heardOf(node, !NodeObjects.isReady(node))));
        return work;
    }

    private Optional<Runnable> next(Pod pod) {
        Optional<PersistentVolumeClaim> claim = server.get(PersistentVolumeClaim.class, Objects.claimOf(pod));
        String node = pod.getSpec().getNodeName();
        if (node == null) {
            boolean usable = claim.isPresent() && !Objects.isDeleting(claim.get()) && !Objects.isDeleting(pod);
            return usable ? Optional.of(() -> place(pod, claim.get())) : Optional.empty();
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
        if (processOf(pod).isEmpty()
                && mayStart(pod)
                && secrets.areThereFor(pod)
                && claim.isPresent()
                && isFree(pod, claim.get())) {
            return Optional.of(() -> startContainer(pod, claim.get()));
        }
        return Optional.ofNullable(containers.get(pod.getMetadata().getUid()))
                .filter(container -> !container
                        .outline()
                        .equals(outlines.get(pod.getMetadata().getUid())))
                .<Runnable>map(container -> () -> report(pod, container))
                .or(() -> secrets.refresh(pod));
    }

    private void place(Pod pod, PersistentVolumeClaim claim) {
        place(pod, List.of(claim));
    }

    /** Where all that it mounts is to be had. */
    void place(Pod pod, List<PersistentVolumeClaim> claims) {
        List<String> possible = nodes.keySet().stream()
                .filter(node -> isUp(node) && claims.stream().allMatch(claim -> disks.isToBeHadAt(node, claim)))
                .toList();
        dice.pick(possible).ifPresent(node -> {
            claims.forEach(claim -> disks.usedAt(node, claim));
            server.change(pod, placed -> {
                placed.setSpec(FakeControllers.onNode(placed.getSpec(), node));
                return placed;
            });
        });
    }

    /** Whether a pod could use it now: the node that has it, or that its last pod is on, is up. */
    public boolean isWithinReach(PersistentVolumeClaim claim) {
        if (volume(claim).user().filter(process -> isUp(process.node())).isPresent()) {
            return true;
        }
        return disks.home(claim).filter(home -> !isUp(home)).isEmpty()
                && server.list(Pod.class).stream()
                        .filter(pod -> Objects.uses(pod, claim))
                        .allMatch(pod -> pod.getSpec().getNodeName() == null
                                || isUp(pod.getSpec().getNodeName()));
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
            witness.get().sharedVolume(siblings, pod, user.get());
        }
        return user.isEmpty();
    }

    private boolean mayStart(Pod pod) {
        Container container = containers.get(pod.getMetadata().getUid());
        return container == null || container.mayStartAgain(clock.instant());
    }

    private void startContainer(Pod pod, PersistentVolumeClaim claim) {
        Volume volume = volume(claim);
        StartFlags flags = StartFlags.of(pod);
        boolean formats = volume.data().isEmpty();
        EtcdProcess process = etcd.start(flags, volume, pod.getSpec().getNodeName(), secrets.mount(pod));
        String uid = pod.getMetadata().getUid();
        Container container = containers.get(uid);
        if (container == null) {
            container = new Container(process, clock.instant());
            containers.put(uid, container);
        } else {
            container.restart(process, clock.instant());
        }
        if (formats && volume.data().isPresent()) {
            witness.get().formatted(process, claim);
        }
        report(pod, container);
    }

    private void setStatus(Pod pod, PodStatus status) {
        server.change(pod, changed -> {
            changed.setStatus(status);
            return changed;
        });
    }

    private void report(Pod pod, Container container) {
        outlines.put(pod.getMetadata().getUid(), container.outline());
        setStatus(
                pod,
                new PodStatusBuilder()
                        .withPodIP(pod.getStatus().getPodIP())
                        .withConditions(new PodConditionBuilder()
                                .withType("Ready")
                                .withStatus(container.isReady() ? "True" : "False")
                                .build())
                        .withContainerStatuses(container.status())
                        .build());
    }
}
