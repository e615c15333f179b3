package etcdoperator.cluster.observe;

import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdPeerStatus;
import etcdoperator.api.MemberRole;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.PeerName;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The volumes that a cluster's data can be read from when none of its members can be asked, the best first. Pure. */
public final class DataVolumes {
    private final ClusterObjects objects;
    private final EtcdClusterStatus status;
    private final Instant now;

    private DataVolumes(ClusterObjects objects, Instant now) {
        this.objects = objects;
        this.now = now;
        this.status = Objects.requireNonNullElse(objects.cluster().getStatus(), EtcdClusterStatus.EMPTY);
    }

    /** A volume with data of the cluster, and the peer whose it is. */
    public record DataVolume(EtcdPeer peer, PersistentVolumeClaim claim) {}

    public static List<DataVolume> of(ClusterObjects objects, Instant now) {
        var volumes = new DataVolumes(objects, now);
        return objects.peers().stream()
                .filter(peer -> peer.getMetadata().getDeletionTimestamp() == null)
                .flatMap(peer -> volumes.on(peer).stream())
                .sorted(Comparator.<DataVolume>comparingInt(volume -> volumes.rank(volume.peer()))
                        .thenComparing(volume ->
                                PeerName.parse(volume.peer().getMetadata().getName())))
                .toList();
    }

    private Optional<DataVolume> on(EtcdPeer peer) {
        return PeerName.tryParse(peer.getMetadata().getName())
                .filter(name -> isWithinReach(peer) && !isKnownBad(peer))
                .flatMap(name -> objects.claims().stream()
                        .filter(claim -> claim.getMetadata()
                                .getName()
                                .equals(peer.getSpec().claimName()))
                        .filter(claim -> isOfUse(ClaimReader.read(claim, name, objects, now)))
                        .findFirst())
                .map(claim -> new DataVolume(peer, claim));
    }

    private boolean isOfUse(ClaimView claim) {
        return !claim.deleting()
                && !claim.retired()
                && claim.problem().isEmpty()
                && claim.held()
                        .filter(held -> held.clusterId().equals(clusterId().orElse(null)))
                        .isPresent();
    }

    private Optional<ClusterId> clusterId() {
        return Optional.ofNullable(status.clusterId()).map(ClusterId::parse);
    }

    /** A volume on a node that is away is to be had no sooner than its member; one that nobody uses may be elsewhere. */
    private boolean isWithinReach(EtcdPeer peer) {
        List<String> nodes = podsOf(peer)
                .flatMap(pod -> Stream.ofNullable(pod.getSpec().getNodeName()))
                .toList();
        Optional<String> last = Optional.ofNullable(peer.getStatus())
                .map(EtcdPeerStatus::node)
                .filter(node -> !peer.getSpec().standsStill());
        return objects.nodesUp().containsAll(nodes.isEmpty() ? last.stream().toList() : nodes);
    }

    private Stream<Pod> podsOf(EtcdPeer peer) {
        return objects.pods().stream()
                .filter(pod -> peer.getMetadata()
                        .getName()
                        .equals(pod.getMetadata().getLabels().get(Labels.PEER)));
    }

    /** What its claim remembers, its volume may have lost: its pod would say so. */
    private boolean isKnownBad(EtcdPeer peer) {
        return podsOf(peer)
                .flatMap(pod -> Diagnosis.ofPod(pod, StartReader.start(pod.getMetadata()), now).stream())
                .anyMatch(problem -> switch (problem.kind()) {
                    case VolumeLost, VolumeEmpty, VolumeMissing, DataCorrupt -> true;
                    default -> false;
                });
    }

    /** Who led has the most; a learner may have next to nothing. */
    private int rank(EtcdPeer peer) {
        String name = peer.getMetadata().getName();
        if (name.equals(status.leader())) {
            return 0;
        }
        return status.members().stream()
                .filter(member -> name.equals(member.name()))
                .map(member -> member.role() == MemberRole.LEARNER ? 3 : 1)
                .findFirst()
                .orElse(2);
    }
}
