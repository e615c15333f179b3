package etcdoperator.simulation.rules;

import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.OperationType;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.api.PeerBootstrap.InitialMember;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What status must have recorded before claims and peers are made, and which peers may found a cluster. */
public final class RecordRules {
    private static final Set<OperationType> GROWTH = Set.of(OperationType.SCALE_UP, OperationType.REPLACE);

    private final World world;
    private final Rules rules;
    private final Map<String, Set<OperationType>> recorded = new HashMap<>();

    RecordRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    void noted(String cluster, EtcdClusterStatus status) {
        if (status.operation() != null) {
            recorded.computeIfAbsent(cluster, key -> new HashSet<>())
                    .add(status.operation().type());
        }
    }

    void created(PersistentVolumeClaim claim) {
        String token = claim.getMetadata().getAnnotations().get(Labels.BOOTSTRAP_TOKEN);
        if (claim.getMetadata().getAnnotations().containsKey(Labels.RESTORED_BY)) {
            return;
        }
        if (token != null) {
            requireRecorded(claim, token, Set.of(OperationType.BOOTSTRAP));
        } else if (!hasRecorded(GROWTH)) {
            rules.broken(Invariant.RECORDED_BEFORE_DONE, Objects.describe(claim) + " is made before " + GROWTH);
        }
    }

    void created(EtcdPeer peer) {
        requireRecorded(peer, Objects.controllerUid(peer).orElse(""), neededFor(peer));
        requireNeverJoined(peer);
    }

    private static Set<OperationType> neededFor(EtcdPeer peer) {
        if (founds(peer)) {
            return Set.of(OperationType.BOOTSTRAP);
        }
        return initialMembers(peer).size() > 1 ? GROWTH : Set.of(OperationType.RESUME);
    }

    /** Whether any cluster has ever recorded one of these. */
    boolean hasRecorded(Set<OperationType> types) {
        return recorded.values().stream().flatMap(Set::stream).anyMatch(types::contains);
    }

    private void requireRecorded(HasMetadata object, String cluster, Set<OperationType> types) {
        if (recorded.getOrDefault(cluster, Set.of()).stream().noneMatch(types::contains)) {
            rules.broken(
                    Invariant.RECORDED_BEFORE_DONE,
                    Objects.describe(object) + " is made before " + cluster + " has recorded " + types);
        }
    }

    private void requireNeverJoined(EtcdPeer founder) {
        boolean joined = founds(founder)
                && world.server()
                        .get(PersistentVolumeClaim.class, founder.getSpec().claimName())
                        .map(claim -> claim.getMetadata().getAnnotations().containsKey(Labels.MEMBER_ID))
                        .orElse(false);
        if (joined) {
            rules.broken(
                    Invariant.SEALED_STAYS_SEALED, Objects.describe(founder) + " founds on a claim that held data");
        }
    }

    static List<InitialMember> initialMembers(EtcdPeer peer) {
        return peer.getSpec().bootstrap().staticBootstrap().initialCluster();
    }

    public static boolean founds(EtcdPeer peer) {
        return peer.getSpec().bootstrap().initialClusterState() == InitialClusterState.NEW;
    }
}
