package etcdoperator.simulation.rules;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.OperationType;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.EnumSet;
import java.util.Optional;
import java.util.stream.Stream;

/** When an operator may stop a peer. */
final class StopRules {
    private final World world;
    private final Rules rules;

    StopRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    /** A peer that stops, or goes, or leaves its volume, takes no vote with it. Only a cluster that sleeps does. */
    void stopped(EtcdPeer before, Optional<EtcdPeer> after, OperatorProcess operator) {
        boolean stays = after.map(peer -> peer.getSpec().standsStill()
                                == before.getSpec().standsStill()
                        && peer.getSpec().claimName().equals(before.getSpec().claimName()))
                .orElse(false);
        boolean starts = after.map(peer -> !peer.getSpec().standsStill()
                        && peer.getSpec().claimName().equals(before.getSpec().claimName()))
                .orElse(false);
        if (stays || starts || sleeps(operator) || liesDown(operator) || rules.areExcused()) {
            return;
        }
        world.server()
                .get(PersistentVolumeClaim.class, before.getSpec().claimName())
                .flatMap(claim -> world.nodes().volume(claim).data())
                .filter(data -> rules.membership()
                        .agreed(data.clusterId())
                        .map(now -> now.isVoter(data.self()))
                        .orElse(false))
                .ifPresent(data -> rules.broken(
                        Invariant.VOTERS_ARE_NOT_STOPPED,
                        Objects.describe(before) + " is stopped, and " + data.self() + " on its volume has a vote"));
    }

    /** Whoever was told to lie down for a restore has written that down before anybody is stopped. */
    private boolean liesDown(OperatorProcess operator) {
        return rules.records().hasRecorded(EnumSet.of(OperationType.RESTORE))
                && Stream.concat(world.cluster().stream(), operator.cache().all(EtcdCluster.class).stream())
                        .anyMatch(cluster -> !cluster.getMetadata()
                                .getAnnotations()
                                .getOrDefault(Labels.RESTORING, "")
                                .isEmpty());
    }

    private boolean sleeps(OperatorProcess operator) {
        return world.cluster().map(StopRules::sleeps).orElse(true)
                || operator.cache().all(EtcdCluster.class).stream().anyMatch(StopRules::sleeps);
    }

    private static boolean sleeps(EtcdCluster cluster) {
        return cluster.getSpec().replicas() == 0;
    }
}
