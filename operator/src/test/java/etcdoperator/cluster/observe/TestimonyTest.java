package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.Membership.Health.Unhealthy;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Answer.Silent;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.TypicalStatus;
import etcdoperator.manifest.Claims;
import etcdoperator.manifest.ExpectedMembers;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

public class TestimonyTest {
    public static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final ClusterKey CLUSTER = new ClusterKey("ns", "c");
    private static final ClusterId ID = new ClusterId(0xc1);
    public static final List<ListedMember> THREE = List.of(listed(0), listed(1), listed(2));

    private final Map<PeerName, Answer> answers = new HashMap<>();
    private final Map<PeerName, PersistentVolumeClaim> claims = new HashMap<>();
    private Optional<ClusterId> known = Optional.of(ID);

    @Test
    void threeThatAgree() {
        says(0, from(0));
        says(1, from(1));
        says(2, from(2));
        Reachable reachable = reachable();
        assertThat(reachable.clusterId()).isEqualTo(ID);
        assertThat(reachable.quorumAnswers()).isTrue();
        assertThat(reachable.members()).extracting(MemberView::name).containsExactly("c-0", "c-1", "c-2");
        assertThat(reachable.members()).allMatch(MemberView::healthy);
        assertThat(reachable.leader().map(MemberView::name)).contains("c-0");
        assertThat(reachable.members().getLast().store().sizeBytes()).isEqualTo(1002);
        assertThat(reachable.members().getLast().version()).hasToString("Optional[3.6.16]");
    }

    @Test
    void whoIsListedAndSilentIsUnwellForTheReasonItGave() {
        says(0, from(0));
        answers.put(peer(1), new Silent(NOW, "no connection"));
        assertThat(health(1)).isEqualTo(new Unhealthy("no connection"));
        assertThat(health(2)).isEqualTo(new Unhealthy("has no running pod"));
        assertThat(reachable().members().get(1).version()).isEmpty();
    }

    /** Nobody may be replaced because a password is wrong. */
    @Test
    void whoDeniesAnAnswerIsNotUnwell() {
        says(0, from(0));
        answers.put(peer(1), new Silent(NOW, "etcd asks for a user and a password", true));
        assertThat(health(1)).isEqualTo(new Membership.Health.Unknown());
        assertThat(reachable().everyoneWasAsked()).isFalse();
    }

    @Test
    void anAnswerThatIsTooOldIsNone() {
        says(0, new Testifies(0).at(NOW.minusSeconds(41)));
        assertThat(weigh()).isEqualTo(new Unreachable("c-0 has not been heard of since 2026-01-01T11:59:19Z"));
    }

    @Test
    void anAnswerThatIsNotYetTooOldCounts() {
        says(0, new Testifies(0).at(NOW.minusSeconds(40)));
        assertThat(reachable().memberOn(peer(0).toString()).orElseThrow().healthy())
                .isTrue();
    }

    @Test
    void anotherClusterIsNotBelieved() {
        says(0, new Testifies(0).cluster(0xc2));
        assertThat(weigh()).isEqualTo(new Unreachable("c-0 answers for another etcd cluster, c2"));
    }

    @Test
    void whileNothingIsKnownWhoeverAnswersIsBelieved() {
        known = Optional.empty();
        says(0, new Testifies(0).cluster(0xc2));
        assertThat(reachable().clusterId()).isEqualTo(new ClusterId(0xc2));
    }

    @Test
    void twoClustersUnderOneNameAreNone() {
        known = Optional.empty();
        says(0, from(0));
        says(1, new Testifies(1).cluster(0xc2));
        assertThat(weigh()).isEqualTo(new Unreachable("members answer for different etcd clusters"));
    }

    /** A volume of the same etcd cluster that was used before holds a member that has left. */
    @Test
    void anotherMemberThanTheClaimRecordsIsNotBelieved() {
        claims.put(peer(0), claim("c-0", Claims.heldBy(ID, new MemberId(0xb0))));
        says(0, from(0));
        assertThat(weigh()).isEqualTo(new Unreachable("c-0 answers as another member, a0"));
    }

    @Test
    void aMemberThatJoinsHasTheIdThatItWasGiven() {
        claims.put(peer(0), claim("c-0", Map.of(Labels.JOINING, "true", Labels.EXPECTED_MEMBER, "b0")));
        says(0, from(0));
        assertThat(weigh()).isEqualTo(new Unreachable("c-0 answers as another member, a0"));
        claims.put(peer(0), claim("c-0", Map.of(Labels.JOINING, "true", Labels.EXPECTED_MEMBER, "a0")));
        assertThat(weigh()).isInstanceOf(Reachable.class);
    }

    /** Before any etcd cluster is known, that of a used volume would be taken for it. */
    @Test
    void aFounderIsKnownBeforeItAnswers() {
        known = Optional.empty();
        claims.put(peer(0), claim("c-0", Map.of(Labels.BOOTSTRAP_TOKEN, "u1", Labels.BOOTSTRAP_SIZE, "3")));
        says(0, new Testifies(0).cluster(0xc2));
        assertThat(weigh()).isEqualTo(new Unreachable("c-0 answers for another etcd cluster, c2"));
        var expected = ExpectedMembers.on(CLUSTER, "c-0", claims.get(peer(0)).getMetadata().getAnnotations(), known);
        assertThat(expected).hasSize(2);
        assertThat(new Identities(CLUSTER, known, claims).problems(answers, NOW).get("c-0").message())
                .startsWith("Volume pv-c-0 of claim c-0 holds data of another member: etcd on it answers as member a0 of etcd cluster c2")
                .contains("member %s of etcd cluster %s"
                        .formatted(expected.getFirst().memberId(), expected.getFirst().clusterId()))
                .contains("delete claim c-0");
    }

    private static PersistentVolumeClaim claim(String name, Map<String, String> annotations) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(name)
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withVolumeName("pv-" + name)
                .endSpec()
                .build();
    }

    /** Pod addresses are given out again: another cluster's pod may answer at one. */
    @Test
    void whoAnswersAtAReusedAddressIsNotWhoWasMeant() {
        says(0, from(0));
        says(1, from(2));
        assertThat(health(1)).isEqualTo(new Unhealthy("answers as another member"));
    }

    @Test
    void aNamesakeInAnotherNamespaceIsNotWhoWasMeant() {
        var elsewhere =
                new ListedMember(new MemberId(0xa0), "c-0", List.of("http://c-0.c.other.svc:2380"), List.of(), false);
        says(0, new Testifies(0).lists(List.of(elsewhere)));
        assertThat(weigh()).isEqualTo(new Unreachable("c-0 answers as another member"));
    }

    @Test
    void theLeadersListIsBelieved() {
        says(0, new Testifies(0).lists(List.of(listed(0), listed(1))));
        says(1, new Testifies(1).lists(THREE).term(9).index(999));
        assertThat(reachable().members()).hasSize(2);
    }

    @Test
    void ofTwoThatThinkTheyLeadTheOneOfTheHigherTerm() {
        says(0, new Testifies(0).lists(List.of(listed(0), listed(1))).term(2));
        says(1, new Testifies(1).leader(0xa1).term(3));
        assertThat(reachable().members()).hasSize(3);
        assertThat(reachable().leader().map(MemberView::name)).contains("c-1");
    }

    @Test
    void withoutLeaderTheLongestLogIsBelieved() {
        says(0, new Testifies(0).leader(0).lists(List.of(listed(0), listed(1))).index(5));
        says(1, new Testifies(1).leader(0).index(6));
        assertThat(reachable().members()).hasSize(3);
        assertThat(reachable().leader()).isEmpty();
        assertThat(reachable().quorumAnswers()).isFalse();
        assertThat(health(0)).isEqualTo(new Unhealthy("knows of no leader"));
    }

    @Test
    void aMemberWithAnAlarmIsUnwell() {
        says(0, new Testifies(0).errors(List.of("memberID:1 alarm:NOSPACE")));
        assertThat(health(0)).isEqualTo(new Unhealthy("memberID:1 alarm:NOSPACE"));
    }

    @Test
    void anAlarmIsTheClustersAndMakesNobodyUnwell() {
        var alarm = new Alarm(new MemberId(1), Alarm.Kind.CORRUPT);
        var status = TypicalStatus.withAlarms(from(0).spoke().status(), List.of(alarm));
        answers.put(peer(0), new Answer.Spoke(NOW, status, THREE, Optional.empty()));
        assertThat(health(0)).isEqualTo(new Membership.Health.Healthy());
        assertThat(reachable().alarms())
                .containsExactly(new Membership.AlarmView(new MemberId(1), Membership.AlarmView.Kind.CORRUPT));
    }

    @Test
    void aMemberThroughWhichNothingCanBeReadIsUnwellAndNoQuorum() {
        says(0, new Testifies(0).readFailure("linearizable read: no answer in time"));
        assertThat(health(0)).isEqualTo(new Unhealthy("linearizable read: no answer in time"));
        assertThat(reachable().quorumAnswers()).isFalse();
    }

    @Test
    void aLearnerIsOneWhateverElseIsSaid() {
        var learner = new ListedMember(new MemberId(0xa1), "c-1", List.of("http://c-1.c.ns.svc:2380"), List.of(), true);
        says(0, new Testifies(0).leader(0xa1).lists(List.of(listed(0), learner)));
        assertThat(reachable().memberOn(peer(1).toString()).orElseThrow().role())
                .isEqualTo(Role.LEARNER);
        assertThat(reachable().voters()).hasSize(1);
    }

    @Test
    void aLearnerIsKnownByTheOthersList() {
        says(0, new Testifies(0).lists(List.of(listed(0), learner(1))));
        says(1, new Testifies(1).learner());
        MemberView learner = reachable().memberOn(peer(1).toString()).orElseThrow();
        assertThat(learner.healthy()).isTrue();
        assertThat(learner.version()).isPresent();
        assertThat(learner.role()).isEqualTo(Role.LEARNER);
    }

    @Test
    void aLearnerWhoseAddressIsAnothersIsNotWhoWasMeant() {
        says(0, new Testifies(0).lists(List.of(listed(0), learner(1), learner(2))));
        answers.put(peer(2), new Testifies(1).learner().spoke());
        assertThat(health(1)).isEqualTo(new Unhealthy("has no running pod"));
        assertThat(health(2)).isEqualTo(new Unhealthy("answers as another member"));
    }

    @Test
    void learnersAloneTellNothing() {
        says(1, new Testifies(1).learner());
        assertThat(weigh()).isInstanceOf(Unreachable.class);
    }

    /** It remembers a leader and reads nothing, so it would speak for a quorum that is long gone. */
    @Test
    void aLearnerIsNoQuorum() {
        says(0, new Testifies(0).lists(List.of(listed(0), learner(1))).readFailure("no answer in time"));
        says(1, new Testifies(1).learner());
        assertThat(reachable().quorumAnswers()).isFalse();
    }

    @Test
    void whoIsNoLongerListedSpeaksForNoQuorum() {
        says(0, new Testifies(0).lists(List.of(listed(0), listed(1))).readFailure("no answer in time"));
        says(2, new Testifies(2));
        assertThat(reachable().quorumAnswers()).isFalse();
        assertThat(reachable().members()).hasSize(2);
    }

    @Test
    void aMemberAtAnAddressOfNoPeerIsAStranger() {
        var stranger =
                new ListedMember(new MemberId(0xb9), "by-hand", List.of("http://10.0.0.9:2380"), List.of(), false);
        says(0, new Testifies(0).lists(List.of(listed(0), stranger)));
        MemberView seen = reachable().member(stranger.id()).orElseThrow();
        assertThat(seen.peer()).isEmpty();
        assertThat(seen.known()).isEqualTo("by-hand");
        assertThat(seen.health()).isEqualTo(new Unhealthy("is none of this cluster's peers"));
    }

    /** It gets its name when it first starts; its address it has from the beginning. */
    @Test
    void aMemberWithoutANameIsKnownByItsAddress() {
        var added = new ListedMember(new MemberId(0xb1), "", List.of("http://c-1.c.ns.svc:2380"), List.of(), true);
        says(0, new Testifies(0).lists(List.of(listed(0), added)));
        assertThat(reachable().memberOn(peer(1).toString()).orElseThrow().id()).isEqualTo(added.id());
    }

    @Test
    void nobodyAskedYet() {
        assertThat(weigh()).isEqualTo(new Unreachable("no pod has an address yet"));
    }

    @Test
    void theFirstOfManySilencesIsTold() {
        answers.put(peer(1), new Silent(NOW, "no answer in time"));
        answers.put(peer(0), new Silent(NOW, "no connection"));
        assertThat(weigh()).isEqualTo(new Unreachable("c-0 no connection"));
    }

    private Membership weigh() {
        return Testimony.weigh(CLUSTER, new Identities(CLUSTER, known, claims), answers, NOW);
    }

    private Reachable reachable() {
        assertThat(weigh()).isInstanceOf(Reachable.class);
        return (Reachable) weigh();
    }

    private Membership.Health health(int ordinal) {
        return reachable().memberOn(peer(ordinal).toString()).orElseThrow().health();
    }

    private void says(int ordinal, Testifies words) {
        answers.put(peer(ordinal), words.spoke());
    }

    private static PeerName peer(int ordinal) {
        return new PeerName("c", ordinal);
    }

    private static ListedMember learner(int ordinal) {
        ListedMember voter = listed(ordinal);
        return new ListedMember(voter.id(), voter.name(), voter.peerUrls(), voter.clientUrls(), true);
    }

    private static ListedMember listed(int ordinal) {
        String url = "http://c-%d.c.ns.svc:2380".formatted(ordinal);
        return new ListedMember(new MemberId(0xa0 + ordinal), "c-" + ordinal, List.of(url), List.of(), false);
    }

    private static Testifies from(int ordinal) {
        return new Testifies(ordinal);
    }
}
