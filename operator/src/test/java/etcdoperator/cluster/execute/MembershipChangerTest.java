package etcdoperator.cluster.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.MemberList;
import etcdoperator.etcd.MembershipChange;
import etcdoperator.etcd.ScriptedEtcd;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** No change of the members but on the list that it was planned on. */
class MembershipChangerTest {
    private static final Endpoint LEADER = Endpoint.plain("10.0.0.1", 2379);
    private static final MemberId A0 = new MemberId(0xa0);
    private static final MemberId A1 = new MemberId(0xa1);
    private static final MemberList VOTER_AND_LEARNER = new MemberList(Map.of(A0, false, A1, true));

    private final ScriptedEtcd etcd = new ScriptedEtcd();
    private final MembershipChanger changer = new MembershipChanger(etcd);

    @Test
    void eachChangeIsAskedForOnceTheListIsConfirmed() throws Exception {
        lists(listed(A0, false), listed(A1, true));
        changer.carryOut(LEADER, VOTER_AND_LEARNER, new MembershipChange.Add("http://c-2:2380", true));
        changer.carryOut(LEADER, VOTER_AND_LEARNER, new MembershipChange.Promote(A1));
        changer.carryOut(LEADER, VOTER_AND_LEARNER, new MembershipChange.MoveLeader(A0));
        changer.carryOut(LEADER, VOTER_AND_LEARNER, new MembershipChange.Remove(A1));
        assertThat(etcd.at(LEADER).calls)
                .containsExactly(
                        "agreed list", "add http://c-2:2380 learner",
                        "agreed list", "promote a1",
                        "agreed list", "move leader to a0",
                        "agreed list", "remove a1");
        assertThat(etcd.at(LEADER).closed).hasValue(4);
    }

    @Test
    void anotherMemberOnTheListStopsTheChange() {
        lists(listed(A0, false), listed(A1, true), listed(new MemberId(0xb9), false));
        assertChanged(new MembershipChange.Remove(A1));
    }

    @Test
    void aMemberThatWasPromotedSinceStopsTheChange() {
        lists(listed(A0, false), listed(A1, false));
        assertChanged(new MembershipChange.Remove(A1));
    }

    @Test
    void aMemberThatIsGoneStopsTheChange() {
        lists(listed(A0, false));
        assertChanged(new MembershipChange.Promote(A1));
    }

    @Test
    void withoutAQuorumNothingIsChanged() {
        etcd.at(LEADER).hasNoQuorum();
        assertThatThrownBy(() -> changer.carryOut(LEADER, VOTER_AND_LEARNER, new MembershipChange.Remove(A1)))
                .isInstanceOfSatisfying(
                        EtcdException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_ANSWER));
        assertThat(etcd.at(LEADER).calls).containsExactly("agreed list");
        assertThat(etcd.at(LEADER).closed).hasValue(1);
    }

    @Test
    void confirmingChangesNothing() {
        lists(listed(A1, true), listed(A0, false));
        assertThatCode(() -> changer.confirm(LEADER, VOTER_AND_LEARNER)).doesNotThrowAnyException();
        lists(listed(A0, false));
        assertThatThrownBy(() -> changer.confirm(LEADER, VOTER_AND_LEARNER))
                .hasMessage("the members are not those that were planned for");
        assertThat(etcd.at(LEADER).calls).containsOnly("agreed list");
        assertThat(etcd.at(LEADER).closed).hasValue(2);
    }

    private void assertChanged(MembershipChange change) {
        assertThatThrownBy(() -> changer.carryOut(LEADER, VOTER_AND_LEARNER, change))
                .isInstanceOfSatisfying(
                        EtcdException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CHANGED));
        assertThat(etcd.at(LEADER).calls).containsExactly("agreed list");
        assertThat(etcd.at(LEADER).closed).hasValue(1);
    }

    private void lists(ListedMember... members) {
        etcd.at(LEADER).lists(List.of(members));
    }

    private static ListedMember listed(MemberId id, boolean learner) {
        return new ListedMember(id, "", List.of(), List.of(), learner);
    }
}
