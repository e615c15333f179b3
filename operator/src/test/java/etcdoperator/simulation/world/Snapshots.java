package etcdoperator.simulation.world;

import etcdoperator.domain.ClusterId;
import etcdoperator.manifest.Addresses;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.etcd.Volume;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.store.StoredSnapshot;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where agents take snapshots from: members that answer, and volumes that nobody uses. */
final class Snapshots {
    private final World world;

    Snapshots(World world) {
        this.world = world;
    }

    /**
     * Of the first that a quorum confirms, else of the one that has most.
     *
     * @param cluster the id of the one that is meant, where it is known
     * @param node where the agent is
     */
    Optional<StoredSnapshot> ofMember(List<String> endpoints, Optional<String> cluster, String node) {
        List<EtcdProcess> answering = endpoints.stream()
                .flatMap(url -> member(URI.create(url), node))
                .filter(process -> cluster.map(id -> process.data().clusterId().toString().equals(id))
                        .orElse(true))
                .toList();
        // A linearizable read waits until the member has what its leader has.
        return answering.stream()
                .flatMap(process -> leader(process).stream())
                .findFirst()
                .map(leader -> of(leader.data(), version(leader), true))
                .or(() -> answering.stream()
                        .max(Comparator.comparing((EtcdProcess process) ->
                                        process.data().isVoter(process.data().self()))
                                .thenComparing(process -> process.data().revision()))
                        .map(process -> of(process.data(), version(process), false)));
    }

    /** For a test: of a member of another cluster, if any runs. */
    Optional<StoredSnapshot> ofStranger(ClusterId cluster) {
        return world.etcd().running().stream()
                .filter(process -> !process.data().clusterId().equals(cluster))
                .findFirst()
                .map(process -> of(process.data(), version(process), true));
    }

    /** For a test: of the first that answers, whatever it has missed. */
    Optional<StoredSnapshot> ofAnybody(List<String> endpoints, String node) {
        return endpoints.stream()
                .flatMap(url -> member(URI.create(url), node))
                .findFirst()
                .map(process -> of(process.data(), version(process), true));
    }

    private Optional<EtcdProcess> leader(EtcdProcess process) {
        return process.data().isVoter(process.data().self())
                ? world.etcd()
                        .leader(process.data().clusterId())
                        .filter(leader -> world.etcd().group(process).contains(leader))
                : Optional.empty();
    }

    private static String version(EtcdProcess process) {
        return process.flags().version().toString();
    }

    private Stream<EtcdProcess> member(URI url, String node) {
        return world.server().list(Pod.class).stream()
                .filter(pod -> !Objects.isAgent(pod)
                        && pod.getStatus().getPodIP() != null
                        && url.getHost().equals(Addresses.memberHost(World.KEY, Objects.claimOf(pod))))
                .filter(pod -> world.nodes().areOnOneSide(pod.getSpec().getNodeName(), node))
                .flatMap(pod -> world.nodes().processOf(pod).stream())
                .filter(process ->
                        process.isReady() && process.flags().clientUrl().contains(url.getScheme() + "://"));
    }

    /** Of the database on a volume. */
    Optional<StoredSnapshot> ofVolume(String claim, String version) {
        Optional<PersistentVolumeClaim> found = world.server().get(PersistentVolumeClaim.class, claim);
        found.ifPresent(world.witness()::read);
        return found.map(world.nodes()::volume)
                .filter(volume -> !volume.isAway())
                .flatMap(Volume::data)
                .map(data -> of(data, version, true));
    }

    /** What is in its log alone, and was not applied, is not in it. */
    static StoredSnapshot of(MemberData data, String version, boolean confirmed) {
        return new StoredSnapshot(
                data.clusterId(),
                data.revision(),
                version,
                confirmed,
                data.writes().stream().sorted().toList());
    }
}
