package etcdoperator.simulation;

import static etcdoperator.simulation.SabotageTest.writing;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.RecoverySpec;
import etcdoperator.api.RecoverySpec.QuorumLossPolicy;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.RestoreCache;
import etcdoperator.kube.RestoreCache.Namesakes;
import etcdoperator.kube.RestoreCache.RestoreObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Recoveries;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.SpoiledKube;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.world.Sabotage;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The operator broken on purpose, once for each invariant about clusters that have lost most voters. */
class DisasterSabotageTest {
    private static final int ENOUGH = 3_000;

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    @Test
    void silentNodesAreTakenForLost() {
        assertFound(Invariant.RECOVERS_ONLY_THE_LOST, silentIsLost());
    }

    @Test
    void silentNodesAreTakenForLostAndTheirPodsForGone() {
        assertFound(Invariant.ONE_CLUSTER_WRITES, new Sabotage() {
            @Override
            public KubeCache cache(KubeCache honest) {
                return silentIsLost().cache(honest);
            }

            @Override
            public Kube kube(Kube honest, World world) {
                return trusting(honest);
            }

            @Override
            public RestoreCache restores(RestoreCache honest) {
                return key -> honest.restore(key).map(DisasterSabotageTest::withoutOccupants);
            }
        });
    }

    @Test
    void theGraceIsIgnored() {
        assertFound(Invariant.RECOVERY_WAITS, Sight.ofCluster(seen -> {
            EtcdCluster hasty = Objects.copy(seen.cluster());
            hasty.setSpec(
                    seen.cluster().getSpec().withRecovery(new RecoverySpec("10s", QuorumLossPolicy.AUTOMATIC, "0s")));
            return with(seen, hasty, seen.pods(), seen.lostVolumes());
        }));
    }

    @Test
    void theShorterLogIsChosen() {
        assertFound(Invariant.RECOVERY_TAKES_THE_FURTHEST, new Sabotage() {
            @Override
            public Kube kube(Kube honest, World world) {
                world.agentWork().tellOfLogs(length -> -length);
                return honest;
            }
        });
    }

    @Test
    void oldClaimsAreDeletedInsteadOfSetAside() {
        assertFound(Invariant.ONLY_RETIRED_CLAIMS_GO, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void mark(PersistentVolumeClaim claim, ClaimMark mark) throws StaleViewException, RefusedException {
                if (mark.annotations().containsKey(Labels.SET_ASIDE_BY)) {
                    super.delete(claim);
                } else {
                    super.mark(claim, mark);
                }
            }
        }));
    }

    @Test
    void whatWasSetAsideIsTidiedUp() {
        assertFound(Invariant.SET_ASIDE_IS_KEPT, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void mark(PersistentVolumeClaim claim, ClaimMark mark) throws StaleViewException, RefusedException {
                super.mark(claim, mark);
                if (mark.annotations().containsKey(Labels.SET_ASIDE_BY)) {
                    super.delete(world.server()
                            .get(
                                    PersistentVolumeClaim.class,
                                    claim.getMetadata().getName())
                            .orElseThrow());
                }
            }
        }));
    }

    @Test
    void nobodyAsksWhetherTheLossLasts() {
        assertFound(Invariant.A_MAJORITY_THAT_IS_BACK_IS_HEARD, heedless(restore -> true));
    }

    @Test
    void whatWasFoundOnceIsTrueForEver() {
        assertFound(
                Invariant.A_MAJORITY_THAT_IS_BACK_IS_HEARD,
                heedless(restore -> Recoveries.confirmedAt(restore).isPresent()));
    }

    @Test
    void cachesAreBelieved() {
        assertFound(Invariant.A_MAJORITY_THAT_IS_BACK_IS_HEARD, writing((honest, world) -> trusting(honest)));
    }

    @Test
    void nobodyLooksAtVolumesOnceMore() {
        assertFound(Invariant.A_MAJORITY_THAT_IS_BACK_IS_HEARD, new Sabotage() {
            @Override
            public RestoreCache restores(RestoreCache honest) {
                return key -> honest.restore(key)
                        .map(seen -> with(
                                seen,
                                Sight.annotated(seen.restore(), Map.of(Labels.FOUND_EMPTY, "")),
                                seen.namesakes()));
            }
        });
    }

    /** Does not look past the caches. */
    private static Kube trusting(Kube honest) {
        return new SpoiledKube(honest) {
            @Override
            public void requireAsSeen(ClusterObjects seen) {}
        };
    }

    /** Of histories without TLS, which is slow and has nothing to do with it. */
    private static void assertFound(Invariant invariant, Sabotage sabotage) {
        Optional<Invariant> found = LongStream.range(0, ENOUGH)
                .filter(DisasterSabotageTest::isDisastrous)
                .mapToObj(seed -> Outcome.of(seed, sabotage, EnumSet.of(invariant)))
                .flatMap(outcome -> outcome.violated().stream())
                .findFirst();
        assertThat(found).contains(invariant);
    }

    /** Nothing is called off, and these restores take the loss for one that was confirmed just now. */
    private static Sabotage heedless(Predicate<EtcdRestore> misread) {
        return new Sabotage() {
            private Supplier<Instant> now = () -> Instant.EPOCH;

            @Override
            public Kube kube(Kube honest, World world) {
                now = world.clock()::instant;
                return new SpoiledKube(honest) {
                    @Override
                    public void delete(HasMetadata object) throws StaleViewException, RefusedException {
                        if (!(object instanceof EtcdRestore)) {
                            super.delete(object);
                        }
                    }
                };
            }

            @Override
            public RestoreCache restores(RestoreCache honest) {
                return key -> honest.restore(key)
                        .map(seen -> misread.test(seen.restore())
                                ? with(seen, confirmed(seen.restore()), seen.namesakes())
                                : seen);
            }

            private EtcdRestore confirmed(EtcdRestore restore) {
                return Sight.annotated(
                        restore, Map.of(Labels.LOSS_CONFIRMED, now.get().toString()));
            }
        };
    }

    private static boolean isDisastrous(long seed) {
        var world = new World(new Dice(seed));
        return world.isDisastrous() && !world.isSecured();
    }

    /** With their pods: of one that is ready nobody would believe it. */
    private static Sabotage silentIsLost() {
        return Sight.ofCluster(seen -> with(seen, seen.cluster(), podsThatAnswer(seen), lostVolumes(seen)));
    }

    private static Map<String, String> lostVolumes(ClusterObjects seen) {
        Map<String, String> lost = new TreeMap<>(seen.lostVolumes());
        seen.pods().stream()
                .filter(pod -> isSilent(seen, pod))
                .forEach(pod -> lost.put(Objects.claimOf(pod), "its node is silent"));
        return lost;
    }

    private static boolean isSilent(ClusterObjects seen, Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node != null && !seen.nodesUp().contains(node);
    }

    private static List<Pod> podsThatAnswer(ClusterObjects seen) {
        return seen.pods().stream().filter(pod -> !isSilent(seen, pod)).toList();
    }

    private static RestoreObjects withoutOccupants(RestoreObjects seen) {
        Namesakes all = seen.namesakes();
        return with(
                seen,
                seen.restore(),
                new Namesakes(all.cluster(), List.of(), List.of(), all.claims(), all.lostVolumes()));
    }

    private static RestoreObjects with(RestoreObjects seen, EtcdRestore restore, Namesakes namesakes) {
        return new RestoreObjects(
                restore, seen.others(), seen.backups(), namesakes, seen.claims(), seen.jobs(), seen.pods());
    }

    private static ClusterObjects with(
            ClusterObjects seen, EtcdCluster cluster, List<Pod> pods, Map<String, String> lostVolumes) {
        return new ClusterObjects(
                cluster,
                seen.peers(),
                seen.claims(),
                seen.replicaSets(),
                pods,
                seen.support(),
                seen.secrets(),
                seen.backups(),
                seen.recoveries(),
                seen.volumeWarnings(),
                seen.nodesUp(),
                seen.nodeAddresses(),
                lostVolumes);
    }
}
