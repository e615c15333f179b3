package etcdoperator.simulation.rules;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.OperationType;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import java.util.stream.Stream;

/** What an operator must not do for no other reason than that it gets no answer. */
public final class SilenceRules {
    private final World world;
    private final Rules rules;

    SilenceRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    /** Pods whose etcd runs and serves, as Kubernetes reports, too. */
    public static Stream<Pod> readyPods(World world) {
        return world.server().list(Pod.class).stream()
                .filter(pod -> !Objects.isAgent(pod) && !Objects.isDeleting(pod))
                .filter(pod -> pod.getMetadata().getLabels().containsKey(Labels.PEER))
                .filter(pod -> world.nodes().isUp(pod.getSpec().getNodeName()) && ClusterObjects.isReady(pod))
                .filter(pod -> world.nodes()
                        .processOf(pod)
                        .filter(EtcdProcess::isReady)
                        .isPresent());
    }

    /** Nobody has chosen, and no member has said a word. */
    void recovers(EtcdRestore restore, OperatorProcess operator) {
        boolean silent =
                operator.probes().lastGiven().answers().values().stream().noneMatch(Spoke.class::isInstance);
        if (silent && seesPods(operator)) {
            readyPods(world)
                    .findFirst()
                    .ifPresent(pod -> rules.broken(
                            Invariant.SILENCE_IS_NO_PROOF,
                            Objects.describe(restore) + " is begun, and " + Objects.describe(pod) + " is Ready"));
        }
    }

    /** @param data of the members as they are */
    Optional<Violation> removes(MemberId id, MemberData data, OperatorProcess operator) {
        boolean replaces = world.cluster()
                .flatMap(cluster -> Optional.ofNullable(cluster.getStatus()))
                .flatMap(status -> Optional.ofNullable(status.operation()))
                .filter(operation -> operation.type() == OperationType.REPLACE)
                .isPresent();
        boolean silent = operator.probes().lastGiven().answers().values().stream()
                .noneMatch(answer -> answer instanceof Spoke spoke
                        && spoke.status().memberId().equals(id));
        if (!replaces || !silent || !data.isVoter(id) || !seesPods(operator)) {
            return Optional.empty();
        }
        return readyPods(world)
                .filter(pod ->
                        world.nodes().processOf(pod).orElseThrow().data().self().equals(id))
                .filter(this::keepsItsClaim)
                .findFirst()
                .flatMap(pod -> rules.violation(
                        Invariant.SILENCE_IS_NO_PROOF,
                        id + " is removed, and its " + Objects.describe(pod) + " is Ready"));
    }

    private boolean keepsItsClaim(Pod pod) {
        return world.server()
                .get(PersistentVolumeClaim.class, Objects.claimOf(pod))
                .filter(claim -> !Objects.isDeleting(claim))
                .isPresent();
    }

    private static boolean seesPods(OperatorProcess operator) {
        var behind = operator.cache().behind();
        return !behind.contains(Pod.class) && !behind.contains(Node.class);
    }
}
