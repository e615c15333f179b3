package etcdoperator.cluster.execute;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.MemberList;
import etcdoperator.etcd.MembershipChange;
import etcdoperator.etcd.MembershipChange.Add;
import etcdoperator.etcd.MembershipChange.MoveLeader;
import etcdoperator.etcd.MembershipChange.Promote;
import etcdoperator.etcd.MembershipChange.Relist;
import etcdoperator.etcd.MembershipChange.Remove;
import etcdoperator.etcd.Order;
import java.time.Duration;
import java.util.Optional;

/**
 * Changes who is a member. What a probe has seen may be old, and another operator may have been quicker, so each change
 * first asks a quorum for the list and is carried out only on the list it was planned on.
 */
public final class MembershipChanger {
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    /** It changes nothing, and whoever waits for a quorum that has just been lost does not see the loss meanwhile. */
    private static final Duration CONFIRMATION = Duration.ofSeconds(2);

    private final EtcdClient.Factory clients;

    public MembershipChanger(EtcdClient.Factory clients) {
        this.clients = clients;
    }

    /** Fails with {@link Kind#CHANGED} where a quorum has another list. */
    public void confirm(Endpoint member, MemberList planned) throws EtcdException {
        try (EtcdClient client = clients.connect(member)) {
            confirm(client, planned);
        }
    }

    /**
     * @param member the leader, where there is one: only it can give leadership away
     * @return the id of a member that was added
     */
    public Optional<MemberId> carryOut(Endpoint member, MemberList planned, MembershipChange change) throws EtcdException {
        try (EtcdClient client = clients.connect(member)) {
            confirm(client, planned);
            Optional<MemberId> added = Optional.empty();
            switch (change) {
                case Add(String peerUrl, boolean learner) ->
                    added = Optional.of(client.add(peerUrl, learner, DEADLINE));
                case Remove(var id) -> client.remove(id, DEADLINE);
                case Promote(var id) -> client.promote(id, DEADLINE);
                case Relist(var id, String peerUrl) -> client.relist(id, peerUrl, DEADLINE);
                case MoveLeader(var to) -> client.moveLeader(to, DEADLINE);
            }
            return added;
        }
    }

    public void tell(Endpoint member, Order order) throws EtcdException {
        try (EtcdClient client = clients.connect(member)) {
            switch (order) {
                case Order.EnableDowngrade(String minor) -> client.enableDowngrade(minor, DEADLINE);
                case Order.CancelDowngrade() -> client.cancelDowngrade(DEADLINE);
                case Order.Disarm(var id, var alarm) -> client.disarm(id, alarm, DEADLINE);
            }
        }
    }

    private static void confirm(EtcdClient client, MemberList planned) throws EtcdException {
        if (!MemberList.of(client.agreedMembers(CONFIRMATION)).equals(planned)) {
            throw new EtcdException(Kind.CHANGED, "the members are not those that were planned for");
        }
    }
}
