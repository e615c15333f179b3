package etcdoperator.exploration;

import etcdoperator.manifest.Labels;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The members that a fault can hit, up to symmetry: the leader, the one that is being worked on, and another one. Each is
 * named by its claim.
 */
final class Targets {
    private final World world;

    Targets(World world) {
        this.world = world;
    }

    /** Claims by what they are to the operation; no claim twice. */
    Map<String, PersistentVolumeClaim> all() {
        List<PersistentVolumeClaim> claims = world.claims().stream()
                .filter(claim -> !Objects.isDeleting(claim))
                .toList();
        Map<String, PersistentVolumeClaim> found = new LinkedHashMap<>();
        Optional<PersistentVolumeClaim> leader =
                claims.stream().filter(this::leads).findFirst();
        leader.ifPresent(claim -> found.put("leader", claim));
        claims.stream()
                .filter(claim -> !found.containsValue(claim))
                .max(Comparator.comparing(this::isUnfinished)
                        .thenComparing(claim -> claim.getMetadata().getName()))
                .ifPresent(claim -> found.put("subject", claim));
        claims.stream()
                .filter(claim -> !found.containsValue(claim))
                .min(Comparator.comparing(claim -> claim.getMetadata().getName()))
                .ifPresent(claim -> found.put("follower", claim));
        return found;
    }

    Optional<PersistentVolumeClaim> claim(String target) {
        return Optional.ofNullable(all().get(target));
    }

    List<Pod> pods(PersistentVolumeClaim claim) {
        return world.server().list(Pod.class).stream()
                .filter(pod -> Objects.uses(pod, claim))
                .toList();
    }

    /** Where its pod is. */
    Optional<String> node(PersistentVolumeClaim claim) {
        return pods(claim).stream()
                .flatMap(pod -> Optional.ofNullable(pod.getSpec().getNodeName()).stream())
                .findFirst();
    }

    Optional<EtcdProcess> process(PersistentVolumeClaim claim) {
        return world.nodes().volume(claim).user();
    }

    private boolean leads(PersistentVolumeClaim claim) {
        return process(claim)
                .filter(process ->
                        world.etcd().leader(process.data().clusterId()).equals(Optional.of(process)))
                .isPresent();
    }

    /** Whether it joins, starts, stops or leaves. */
    private boolean isUnfinished(PersistentVolumeClaim claim) {
        boolean runs = process(claim)
                .filter(process -> process.isReady()
                        && process.data().isVoter(process.data().self()))
                .isPresent();
        boolean marked = claim.getMetadata().getAnnotations().containsKey(Labels.MEMBER_ID)
                && claim.getMetadata()
                        .getAnnotations()
                        .getOrDefault(Labels.RETIRED, "")
                        .isEmpty();
        return !runs || !marked || pods(claim).stream().anyMatch(Objects::isDeleting);
    }
}
