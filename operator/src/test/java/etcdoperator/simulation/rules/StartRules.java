package etcdoperator.simulation.rules;

import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What must hold when etcd starts on a volume. */
final class StartRules {
    private final World world;
    private final Rules rules;
    private final Set<String> madeInTheDark = new HashSet<>();

    StartRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    /**
     * A member that ran before the operator could see and seal it is
     * beyond its power: what is lost then is not held against it.
     */
    void formatted(EtcdProcess process, PersistentVolumeClaim claim) {
        MemberData data = process.data();
        boolean founds = process.flags().founds();
        world.trace().note(process + (founds ? " founds " : " joins ") + data.clusterId() + " as " + data.self());
        if (!founds) {
            joined(process);
            return;
        }
        world.etcd().joinedOn(data.self()).ifPresent(before -> {
            if (before.isVouchedFor()) {
                rules.broken(
                        Invariant.NOTHING_EMPTY_VOTES,
                        process + " votes as " + data.self() + ", and has forgotten all");
            } else {
                rules.excuse();
            }
        });
        for (PersistentVolumeClaim other : world.claims()) {
            Optional<MemberData> present = world.nodes().volume(other).data();
            if (present.isPresent() && !present.get().clusterId().equals(data.clusterId())) {
                rules.broken(
                        Invariant.ONE_CLUSTER,
                        claim.getMetadata().getName() + " founds " + data.clusterId() + " beside "
                                + other.getMetadata().getName() + " of "
                                + present.get().clusterId());
            }
        }
    }

    /** One that comes without a vote, or has come before and has none yet, may know nothing. */
    private void joined(EtcdProcess process) {
        MemberData data = process.data();
        boolean votes = rules.membership()
                .agreed(data.clusterId())
                .map(now -> now.isVoter(data.self()))
                .orElse(false);
        if (votes && world.etcd().joinedOn(data.self()).isPresent()) {
            rules.broken(
                    Invariant.NOTHING_EMPTY_VOTES, process + " votes as " + data.self() + ", and has forgotten all");
        }
    }

    /** A pod that the maker's watch had not told of yet: etcd's lock on its files has to do for that moment. */
    void made(HasMetadata object, OperatorProcess operator) {
        if (object instanceof ReplicaSet && operator.cache().behind().contains(Pod.class)) {
            madeInTheDark.add(object.getMetadata().getUid());
        }
    }

    void sharedVolume(boolean siblings, Pod pod, EtcdProcess user) {
        if (!siblings && !madeInTheDark.contains(Objects.controllerUid(pod).orElse(""))) {
            rules.broken(
                    Invariant.ONE_PROCESS_PER_VOLUME, "pod " + pod.getMetadata().getName() + " starts beside " + user);
        }
    }
}
