package etcdoperator.cluster.observe;

import etcdoperator.api.EtcdPeer;
import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.ReadMark;
import java.util.Optional;

/** A member that stands still for a backup was silent before, and is so on purpose now. */
final class Standstill {
    private Standstill() {}

    static Membership explained(Membership membership, ClusterObjects objects) {
        return switch (membership) {
            case Reachable reachable -> reachable;
            case Unreachable unreachable ->
                objects.peers().stream()
                        .flatMap(peer -> why(peer, objects).stream())
                        .findFirst()
                        .map(Unreachable::new)
                        .orElse(unreachable);
        };
    }

    private static Optional<String> why(EtcdPeer peer, ClusterObjects objects) {
        return ReadMark.readerOf(peer, objects.backups())
                .map(backup -> "%s is stopped while EtcdBackup %s reads its volume, because no member answered"
                        .formatted(
                                peer.getMetadata().getName(),
                                backup.getMetadata().getName()));
    }
}
