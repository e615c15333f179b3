package etcdoperator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.MemberStatus;
import etcdoperator.api.PeerBootstrap;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.KubeCache;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.SpoiledKube;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.world.Sabotage;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A simulation that finds nothing proves nothing: here the operator is broken on purpose, once for each invariant. */
class SabotageTest {
    private static final int ENOUGH = 1_000;

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    @Test
    void podsKeepTheRightToFound() {
        assertFound(Invariant.NOTHING_EMPTY_VOTES, podsAreNotSealed());
    }

    @Test
    void podsKeepTheRightToFoundAndAWriteIsLost() {
        assertFound(Invariant.NO_WRITE_IS_LOST, podsAreNotSealed());
    }

    @Test
    void oneTokenForEveryBootstrap() {
        assertFound(Invariant.NOTHING_EMPTY_VOTES, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void create(HasMetadata object) throws StaleViewException, RefusedException {
                super.create(object instanceof EtcdPeer peer ? withToken(peer, "etcd-cluster") : object);
            }
        }));
    }

    @Test
    void claimsThatHeldDataAreTakenForNew() {
        assertFound(
                Invariant.ONE_CLUSTER,
                Sight.ofCluster(seen -> new ClusterObjects(
                        seen.cluster(),
                        seen.peers(),
                        seen.claims().stream().map(claim -> asNew(claim, seen)).toList(),
                        seen.replicaSets(),
                        seen.pods(),
                        seen.support(),
                        seen.secrets(),
                        seen.backups(),
                        seen.recoveries(),
                        seen.volumeWarnings(),
                        seen.nodesUp(),
                        seen.nodeAddresses(),
                        seen.lostVolumes())));
    }

    @Test
    void oldPodsAreNotWaitedFor() {
        assertFound(Invariant.ONE_PROCESS_PER_VOLUME, Sight.ofPods(pods -> List.of()));
    }

    @Test
    void nothingIsRecorded() {
        assertFound(Invariant.RECORDED_BEFORE_DONE, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public EtcdCluster replaceStatus(EtcdCluster cluster) {
                return cluster;
            }
        }));
    }

    @Test
    void claimsAreMarkedWithAnotherMember() {
        assertFound(Invariant.CLAIMS_TELL_THE_TRUTH, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void annotate(HasMetadata object, Map<String, String> annotations)
                    throws StaleViewException, RefusedException {
                super.annotate(
                        object,
                        object instanceof PersistentVolumeClaim
                                ? Map.of(Labels.CLUSTER_ID, "1", Labels.MEMBER_ID, "2")
                                : annotations);
            }
        }));
    }

    @Test
    void sealedPeersAreUnsealed() {
        assertFound(Invariant.SEALED_STAYS_SEALED, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void replaceStatus(EtcdPeer peer) throws StaleViewException, RefusedException {
                super.replace(withState(peer, InitialClusterState.NEW));
            }
        }));
    }

    @Test
    void everybodyIsCalledHealthy() {
        assertFound(Invariant.HEALTH_IS_SEEN, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public EtcdCluster replaceStatus(EtcdCluster cluster) throws StaleViewException, RefusedException {
                EtcdCluster flattered = Objects.copy(cluster);
                flattered.setStatus(allHealthy(cluster.getStatus()));
                return super.replaceStatus(flattered);
            }
        }));
    }

    @Test
    void peersComeBeforeTheirClaims() {
        assertFound(Invariant.IT_SETTLES, writing(PeersFirst::new));
    }

    @Test
    void statusIsWrittenAnew() {
        assertFound(Invariant.REST_IS_FREE, Sight.ofCluster(seen -> {
            EtcdCluster cluster = Objects.copy(seen.cluster());
            cluster.setStatus(null);
            return new ClusterObjects(
                    seen.cluster().getStatus() == null
                                    || seen.cluster().getStatus().operation() != null
                            ? seen.cluster()
                            : cluster,
                    seen.peers(),
                    seen.claims(),
                    seen.replicaSets(),
                    seen.pods(),
                    seen.support(),
                    seen.secrets(),
                    seen.backups(),
                    seen.recoveries(),
                    seen.volumeWarnings(),
                    seen.nodesUp(),
                    seen.nodeAddresses(),
                    seen.lostVolumes());
        }));
    }

    static void assertFound(Invariant invariant, Sabotage sabotage) {
        Optional<Invariant> found = LongStream.range(0, ENOUGH)
                .mapToObj(seed -> Outcome.of(seed, sabotage, EnumSet.of(invariant)))
                .flatMap(outcome -> outcome.violated().stream())
                .findFirst();
        assertThat(found).as("violation found in %d histories", ENOUGH).contains(invariant);
    }

    static Sabotage writing(BiFunction<Kube, World, Kube> spoil) {
        return new Sabotage() {
            @Override
            public Kube kube(Kube honest, World world) {
                return spoil.apply(honest, world);
            }
        };
    }

    /** The pod is not told, and the operator believes that it was. */
    private static Sabotage podsAreNotSealed() {
        Sabotage blind = Sight.ofPods(pods -> pods.stream()
                .map(pod -> Sight.annotated(pod, Map.of(Labels.INITIAL_CLUSTER_STATE, "existing")))
                .toList());
        Sabotage mute = writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void annotate(HasMetadata object, Map<String, String> annotations)
                    throws StaleViewException, RefusedException {
                if (!(object instanceof Pod)) {
                    super.annotate(object, annotations);
                }
            }
        });
        return new Sabotage() {
            @Override
            public Kube kube(Kube honest, World world) {
                return mute.kube(honest, world);
            }

            @Override
            public KubeCache cache(KubeCache honest) {
                return blind.cache(honest);
            }
        };
    }

    private static PersistentVolumeClaim asNew(PersistentVolumeClaim claim, ClusterObjects seen) {
        PersistentVolumeClaim changed = Sight.annotated(
                claim,
                Map.of(
                        Labels.BOOTSTRAP_TOKEN,
                        seen.cluster().getMetadata().getUid(),
                        Labels.BOOTSTRAP_SIZE,
                        Integer.toString(seen.cluster().getSpec().replicas())));
        changed.getMetadata().getAnnotations().remove(Labels.MEMBER_ID);
        return changed;
    }

    private static EtcdPeer withToken(EtcdPeer peer, String token) {
        PeerBootstrap start = peer.getSpec().bootstrap();
        return withBootstrap(
                peer, PeerBootstrap.of(start.staticBootstrap().initialCluster(), start.initialClusterState(), token));
    }

    private static EtcdPeer withState(EtcdPeer peer, InitialClusterState state) {
        PeerBootstrap start = peer.getSpec().bootstrap();
        return withBootstrap(peer, PeerBootstrap.of(start.staticBootstrap().initialCluster(), state, start.token()));
    }

    private static EtcdPeer withBootstrap(EtcdPeer peer, PeerBootstrap bootstrap) {
        EtcdPeer changed = Objects.copy(peer);
        changed.setSpec(peer.getSpec().withBootstrap(bootstrap));
        return changed;
    }

    private static EtcdClusterStatus allHealthy(EtcdClusterStatus status) {
        List<MemberStatus> members = status.members().stream()
                .map(member -> new MemberStatus(
                        member.id(),
                        member.name(),
                        member.role(),
                        true,
                        member.version(),
                        member.dbSizeBytes(),
                        member.claim()))
                .toList();
        return new EtcdClusterStatus(
                status.observedGeneration(),
                status.replicas(),
                status.readyReplicas(),
                status.selector(),
                members,
                status.leader(),
                status.clusterId(),
                status.clusterVersion(),
                status.endpoints(),
                status.operation(),
                status.conditions());
    }

    /** Claims are kept back until the last peer has been made. */
    private static final class PeersFirst extends SpoiledKube {
        private final Map<String, HasMetadata> claims = new TreeMap<>();

        PeersFirst(Kube honest, World world) {
            super(honest);
        }

        @Override
        public void create(HasMetadata object) throws StaleViewException, RefusedException {
            if (object instanceof PersistentVolumeClaim) {
                claims.put(object.getMetadata().getName(), object);
                return;
            }
            super.create(object);
            if (object instanceof EtcdPeer peer && isLast(peer)) {
                for (HasMetadata claim : claims.values()) {
                    super.create(claim);
                }
            }
        }

        private static boolean isLast(EtcdPeer peer) {
            return peer.getSpec()
                    .bootstrap()
                    .staticBootstrap()
                    .initialCluster()
                    .getLast()
                    .name()
                    .equals(peer.getMetadata().getName());
        }
    }
}
