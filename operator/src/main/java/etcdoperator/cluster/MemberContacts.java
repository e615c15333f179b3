package etcdoperator.cluster;

import etcdoperator.cluster.execute.Workshop;
import etcdoperator.cluster.observe.Contacts;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Transport;
import etcdoperator.etcd.Endpoint;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube.StaleViewException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How a pass reaches the members of its cluster. */
record MemberContacts(ClusterObjects objects, ClusterView view) {
    Map<PeerName, Endpoint> endpoints() {
        return new Contacts(objects).of(view.ownPeers(), view.pods());
    }

    /**
     * The leader, which alone can give leadership away and whose list is the newest. Where it is none of the peers, any
     * voter that is well.
     */
    Endpoint spokesman() throws StaleViewException {
        Map<PeerName, Endpoint> endpoints = endpoints();
        return view.reachable().stream()
                .flatMap(reachable -> Stream.concat(
                        reachable.leader().stream(), reachable.voters().stream().filter(MemberView::healthy)))
                .flatMap(member -> member.peer().stream())
                .flatMap(peer -> Optional.ofNullable(endpoints.get(peer)).stream())
                .findFirst()
                .orElseThrow(() -> new StaleViewException("no member is known to be well"));
    }

    Map<MemberId, Workshop.Contact> all() {
        Map<PeerName, Endpoint> peers = endpoints();
        Map<MemberId, Workshop.Contact> members = new HashMap<>();
        view.reachable().stream()
                .flatMap(reachable -> reachable.members().stream())
                .filter(MemberView::hasStarted)
                .forEach(member -> member.peer()
                        .flatMap(peer -> Optional.ofNullable(peers.get(peer)))
                        .ifPresent(endpoint ->
                                members.put(member.id(), contact(member.peer().orElseThrow(), endpoint))));
        return members;
    }

    private Workshop.Contact contact(PeerName peer, Endpoint endpoint) {
        Transport transport =
                view.ownPeer(peer).flatMap(view::podOf).map(PodView::transport).orElse(Transport.PLAIN);
        return new Workshop.Contact(peer, endpoint, transport);
    }
}
