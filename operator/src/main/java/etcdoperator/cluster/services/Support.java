package etcdoperator.cluster.services;

import static java.util.stream.Collectors.toMap;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.ServicesSpec;
import etcdoperator.api.TlsSpec;
import etcdoperator.cluster.view.ClusterView.Memory;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.Quorum;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Drift;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.ClusterServices;
import etcdoperator.manifest.DisruptionBudget;
import etcdoperator.manifest.Fence;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.OperatorPods;
import etcdoperator.manifest.TlsSecrets;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The objects around a cluster's members: services, the budget for drains, and the network policy. */
public final class Support {
    private Support() {}

    public static List<HasMetadata> desired(
            EtcdCluster cluster, OperatorPods operator, Memory memory, Membership membership) {
        Stream<HasMetadata> always = Stream.of(
                ClusterServices.headless(cluster),
                ClusterServices.client(cluster),
                DisruptionBudget.allowing(disruptions(memory, membership), cluster));
        return Stream.concat(always, onRequest(cluster, operator)).map(Drift::stamped).toList();
    }

    private static Stream<HasMetadata> onRequest(EtcdCluster cluster, OperatorPods operator) {
        ServicesSpec services = cluster.getSpec().servicesOrDefault();
        Optional<HasMetadata> nodePort =
                services.nodePortIfEnabled().map(wanted -> ClusterServices.nodePort(cluster, wanted));
        Optional<HasMetadata> loadBalancer =
                services.loadBalancerIfEnabled().map(wanted -> ClusterServices.loadBalancer(cluster, wanted));
        Optional<HasMetadata> fence =
                cluster.getSpec().wantsFence() ? Optional.of(Fence.around(cluster, operator)) : Optional.empty();
        return Stream.of(nodePort, loadBalancer, fence).flatMap(Optional::stream);
    }

    /** What is missing, or is not what it should be. */
    public static Stream<HasMetadata> drifted(ClusterObjects objects, Memory memory, Membership membership) {
        Map<String, HasMetadata> actual =
                objects.support().stream().collect(toMap(Support::nameOf, object -> object, (one, other) -> one));
        return desired(objects.cluster(), objects.operator(), memory, membership).stream()
                .filter(desired -> Optional.ofNullable(actual.get(nameOf(desired)))
                        .map(found -> Drift.between(desired, found))
                        .orElse(true));
    }

    /**
     * What was made on request and is no longer asked for. Only these names, and only what this EtcdCluster owns: a
     * namesake of somebody else's stays.
     */
    public static Stream<HasMetadata> surplus(ClusterObjects objects) {
        EtcdCluster cluster = objects.cluster();
        ClusterKey key = Labels.keyOf(cluster);
        Set<String> off = new HashSet<>(Set.of(
                "Service " + Addresses.nodePortService(key),
                "Service " + Addresses.loadBalancerService(key),
                "NetworkPolicy " + key.name()));
        onRequest(cluster, objects.operator()).map(Support::nameOf).forEach(off::remove);
        off.addAll(forgottenOrders(cluster));
        return objects.support().stream()
                .filter(object -> off.contains(nameOf(object)))
                .filter(object -> object.getMetadata().getDeletionTimestamp() == null)
                .filter(object -> object.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> Boolean.TRUE.equals(owner.getController())
                                && cluster.getMetadata().getUid().equals(owner.getUid())));
    }

    /** cert-manager would go on writing into Secrets that are somebody else's business by now. */
    private static List<String> forgottenOrders(EtcdCluster cluster) {
        ClusterKey key = Labels.keyOf(cluster);
        TlsSpec tls = Objects.requireNonNullElse(cluster.getSpec().tls(), TlsSpec.NONE);
        List<String> forgotten = new ArrayList<>();
        if (tls.client() == null || tls.client().certManager() == null) {
            forgotten.addAll(List.of(TlsSecrets.server(key), TlsSecrets.client(key), TlsSecrets.operator(key)));
        }
        if (tls.peer() == null || tls.peer().certManager() == null) {
            forgotten.add(TlsSecrets.peer(key));
        }
        return forgotten.stream().map(name -> "Certificate " + name).toList();
    }

    public static String nameOf(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }

    /** The headless service, which gives each member its name. */
    public static boolean isNaming(HasMetadata object) {
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
