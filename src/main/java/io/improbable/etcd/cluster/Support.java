package io.improbable.etcd.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.cluster.ClusterView.Memory;
import io.improbable.etcd.cluster.Membership.MemberView;
import io.improbable.etcd.cluster.Membership.Reachable;
import io.improbable.etcd.domain.Quorum;
import io.improbable.etcd.kube.Drift;
import io.improbable.etcd.manifest.ClusterServices;
import io.improbable.etcd.manifest.DisruptionBudget;
import java.util.List;

/** The objects around a cluster's members: services, and the budget for drains. */
final class Support {
    private Support() {}

    static List<HasMetadata> desired(EtcdCluster cluster, Memory memory, Membership membership) {
        return List.of(
                Drift.stamped(ClusterServices.headless(cluster)),
                Drift.stamped(ClusterServices.client(cluster)),
                Drift.stamped(DisruptionBudget.allowing(disruptions(memory, membership), cluster)));
    }

    static String nameOf(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }

    /** The headless service, which gives each member its name. */
    static boolean isNaming(HasMetadata object) {
        return object instanceof Service service
                && "None".equals(service.getSpec().getClusterIP());
    }

    /** None while anything is under way or a voter is unwell, else what quorum can spare. */
    private static int disruptions(Memory memory, Membership membership) {
        if (memory.operation().isPresent() || !(membership instanceof Reachable reachable)) {
            return 0;
        }
        List<MemberView> voters = reachable.voters();
        boolean allWell = reachable.quorumAnswers() && voters.stream().allMatch(MemberView::healthy);
        return allWell ? new Quorum(voters.size()).canSpare() : 0;
    }
}
