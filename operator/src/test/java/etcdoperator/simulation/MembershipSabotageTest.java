package etcdoperator.simulation;

import static etcdoperator.simulation.SabotageTest.assertFound;
import static etcdoperator.simulation.SabotageTest.writing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.Pace;
import etcdoperator.etcd.Probes;
import etcdoperator.etcd.TypicalStatus;
import etcdoperator.kube.Kube;
import etcdoperator.kube.KubeCache;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The operator broken on purpose, once for each invariant about who is a member. */
class MembershipSabotageTest {
    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    @Test
    void claimsGoWithTheirPeers() {
        assertFound(Invariant.ONLY_RETIRED_CLAIMS_GO, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void delete(HasMetadata object) throws StaleViewException, RefusedException {
                super.delete(object);
                if (object instanceof EtcdPeer peer) {
                    Optional<PersistentVolumeClaim> claim = world.server()
                            .get(PersistentVolumeClaim.class, peer.getSpec().claimName());
                    if (claim.isPresent()) {
                        super.delete(claim.get());
                    }
                }
            }
        }));
    }

    @Test
    void claimsAreNotMarkedBeforeTheyGo() {
        assertFound(Invariant.ONLY_RETIRED_CLAIMS_GO, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void annotate(HasMetadata object, Map<String, String> annotations)
                    throws StaleViewException, RefusedException {
                if (annotations.containsKey(Labels.RETIRED)) {
                    super.delete(object);
                } else {
                    super.annotate(object, annotations);
                }
            }
        }));
    }

    @Test
    void claimsOfThoseWhoLeftAreForgotten() {
        assertFound(Invariant.IT_SETTLES, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void delete(HasMetadata object) throws StaleViewException, RefusedException {
                if (!(object instanceof PersistentVolumeClaim)) {
                    super.delete(object);
                }
            }
        }));
    }

    @Test
    void whoeverWasWellOnceIsTakenForWell() {
        assertFound(
                Invariant.CHANGES_ONLY_WHEN_WELL,
                hearing((before, now) -> now.isWell() ? now : sayingNow(before, now)));
    }

    @Test
    void newMembersVoteAtOnce() {
        assertFound(Invariant.JOINS_AS_LEARNER, changing(honest -> new SpoiledEtcd(honest) {
            @Override
            public MemberId add(String peerUrl, boolean learner, Duration deadline) throws EtcdException {
                return super.add(peerUrl, false, deadline);
            }
        }));
    }

    @Test
    void peersStopBeforeTheirMembersHaveLeft() {
        assertFound(Invariant.VOTERS_ARE_NOT_STOPPED, changing(honest -> new SpoiledEtcd(honest) {
            @Override
            public void remove(MemberId member, Duration deadline) {}
        }));
    }

    @Test
    void learnersGetTheirVotesUnsealed() {
        assertFound(Invariant.SEALED_BEFORE_VOTING, podsKeepTheirListOfMembers());
    }

    @Test
    void unsealedVotersForget() {
        assertFound(Invariant.NOTHING_EMPTY_VOTES, podsKeepTheirListOfMembers());
    }

    @Test
    void leadersAreRemovedAsAnybodyElse() {
        assertFound(Invariant.LEADERS_HAND_OVER, hearing((before, now) -> withAnotherLeader(now)));
    }

    @Test
    void membersAreChangedUnrecorded() {
        assertFound(Invariant.RECORDED_BEFORE_DONE, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public EtcdCluster replaceStatus(EtcdCluster cluster) throws StaleViewException, RefusedException {
                var status = cluster.getStatus();
                boolean known = status.operation() == null || status.clusterId() == null;
                return known ? super.replaceStatus(cluster) : cluster;
            }
        }));
    }

    private static Sabotage changing(UnaryOperator<EtcdClient> spoil) {
        return new Sabotage() {
            @Override
            public EtcdClient etcd(EtcdClient honest) {
                return spoil.apply(honest);
            }
        };
    }

    /** The operator hears other things than a member says, made of what it heard before and what is said now. */
    private static Sabotage hearing(BinaryOperator<Answer> spoil) {
        return new Sabotage() {
            @Override
            public Probes probes(Probes honest) {
                return new Probes() {
                    private final Map<PeerName, Answer> heard = new HashMap<>();

                    @Override
                    public void watch(ClusterKey cluster, Map<PeerName, Endpoint> members, Pace pace) {
                        honest.watch(cluster, members, pace);
                    }

                    @Override
                    public Map<PeerName, Answer> answers(ClusterKey cluster, Map<PeerName, Endpoint> members) {
                        Map<PeerName, Answer> now = honest.answers(cluster, members);
                        now.replaceAll((peer, answer) -> spoil.apply(heard.getOrDefault(peer, answer), answer));
                        heard.putAll(now);
                        return now;
                    }

                    @Override
                    public void askAgain(ClusterKey cluster) {
                        honest.askAgain(cluster);
                    }
                };
            }
        };
    }

    private static Answer sayingNow(Answer before, Answer now) {
        return before instanceof Spoke spoke
                ? new Spoke(now.at(), spoke.status(), spoke.members(), spoke.readFailure())
                : now;
    }

    /** The first other voter it knows of. */
    private static Answer withAnotherLeader(Answer answer) {
        if (!(answer instanceof Spoke spoke)) {
            return answer;
        }
        MemberStatus s = spoke.status();
        MemberId other = spoke.members().stream()
                .filter(member -> !member.learner())
                .map(ListedMember::id)
                .filter(id -> !id.equals(s.leader()))
                .findFirst()
                .orElse(s.leader());
        return new Spoke(spoke.at(), TypicalStatus.withLeader(s, other), spoke.members(), spoke.readFailure());
    }

    /** Pods are not told that they have joined, and the operator believes that they were. */
    private static Sabotage podsKeepTheirListOfMembers() {
        Sabotage blind = Sight.ofPods(pods -> pods.stream()
                .map(pod -> Sight.annotated(
                        pod, Map.of(Labels.INITIAL_CLUSTER_STATE, "existing", Labels.INITIAL_CLUSTER, "itself")))
                .toList());
        return new Sabotage() {
            @Override
            public Kube kube(Kube honest, World world) {
                return new SpoiledKube(honest) {
                    @Override
                    public void annotate(HasMetadata object, Map<String, String> annotations)
                            throws StaleViewException, RefusedException {
                        if (!(object instanceof Pod)) {
                            super.annotate(object, annotations);
                        }
                    }
                };
            }

            @Override
            public KubeCache cache(KubeCache honest) {
                return blind.cache(honest);
            }
        };
    }
}
