package etcdoperator.simulation.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;

/** What it means that a name is taken: the object was made before, or it is somebody else's. */
final class TakenName {
    private TakenName() {}

    static RefusedException refusal(HasMetadata wanted, HasMetadata present) throws StaleViewException {
        if (isTheSame(wanted, present)) {
            throw new StaleViewException(Objects.describe(wanted) + " is there already");
        }
        return new RefusedException(Objects.describe(wanted) + " exists, but is somebody else's");
    }

    private static boolean isTheSame(HasMetadata wanted, HasMetadata present) {
        var theirs = present.getMetadata().getLabels();
        var ours = wanted.getMetadata().getLabels();
        return switch (wanted) {
            case EtcdRestore restore -> true;
            case EtcdCluster cluster -> true;
            case Job job -> theirs.entrySet().containsAll(ours.entrySet());
            case EtcdBackup backup -> theirs.entrySet().containsAll(ours.entrySet());
            default -> {
                String label = ours.containsKey(Labels.CLUSTER) ? Labels.CLUSTER : Labels.RESTORE;
                yield ours.getOrDefault(label, "").equals(theirs.get(label));
            }
        };
    }
}
