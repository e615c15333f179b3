package etcdoperator.cluster.tls;

import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.domain.Scheme;
import etcdoperator.domain.Transport.Between;
import etcdoperator.manifest.Transports;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The way from plaintext to TLS between members, and back. Members that speak only one and members that know only the
 * other never live side by side: between them all are prepared for both.
 */
public final class Passage {
    private Passage() {}

    /** @param present how members are set up, and how their pods, which may be behind, really speak */
    static Between next(boolean wanted, Collection<Between> present) {
        if (present.isEmpty()) {
            return wanted ? Between.REQUIRED : Between.PLAIN;
        }
        if (wanted) {
            return present.contains(Between.PLAIN) ? Between.PREPARED : Between.REQUIRED;
        }
        return present.contains(Between.REQUIRED) ? Between.PREPARED : Between.PLAIN;
    }

    /** How members are set up, how their pods speak, and how etcd lists them. */
    public static Set<Between> present(List<PeerView> peers, List<PodView> pods, Membership membership) {
        Stream<Between> specs =
                peers.stream().map(peer -> Transports.of(peer.setup().tls()).peer());
        Stream<Between> running = pods.stream()
                .filter(pod -> peers.stream().anyMatch(pod::runs))
                .map(pod -> pod.transport().peer());
        List<MemberView> members = membership instanceof Reachable reachable ? reachable.members() : List.of();
        Stream<Between> listed = members.stream()
                .filter(member -> member.scheme() == Scheme.HTTPS)
                .map(member -> Between.REQUIRED);
        return Stream.of(specs, running, listed).flatMap(all -> all).collect(Collectors.toSet());
    }
}
