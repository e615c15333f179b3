package etcdoperator.simulation.world;

import etcdoperator.api.EtcdPeer;
import etcdoperator.simulation.kube.Objects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What there is at the end of a history, for whoever has to find out why it failed. */
public final class Inventory {
    private final World world;

    public Inventory(World world) {
        this.world = world;
    }

    public String text() {
        Stream<String> nodes = Stream.of("nodes " + world.nodes().states());
        Stream<String> claims = world.server().list(PersistentVolumeClaim.class).stream()
                .map(claim -> head(claim) + claim.getMetadata().getAnnotations() + " holds "
                        + world.nodes().volume(claim).data());
        Stream<String> peers = world.server().list(EtcdPeer.class).stream()
                .map(peer -> head(peer) + peer.getSpec() + " " + peer.getStatus());
        Stream<String> sets = world.server().list(ReplicaSet.class).stream()
                .map(set -> head(set) + set.getSpec().getReplicas() + " on "
                        + Objects.claimOf(set.getSpec().getTemplate().getSpec()));
        Stream<String> pods = world.server().list(Pod.class).stream()
                .map(pod -> head(pod) + "on " + Objects.claimsOf(pod.getSpec()) + " at "
                        + pod.getSpec().getNodeName() + " " + pod.getStatus().getPodIP()
                        + (world.nodes().processOf(pod).isPresent() ? " runs" : " does not run"));
        return Stream.of(nodes, claims, peers, sets, pods)
                .flatMap(lines -> lines)
                .collect(Collectors.joining("\n"));
    }

    private static String head(HasMetadata object) {
        return Objects.describe(object) + (Objects.isDeleting(object) ? " (being deleted) " : " ");
    }
}
