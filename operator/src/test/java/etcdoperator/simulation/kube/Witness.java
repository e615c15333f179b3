package etcdoperator.simulation.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.etcd.MembershipChange;
import etcdoperator.kube.Kube.ClaimMark;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.MemberData;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sees what an operator does to the API server and to etcd before it is carried out, and what comes of it; may object. */
public interface Witness {
    Witness NONE = new Witness() {};

    default void created(HasMetadata object, OperatorProcess operator) {}

    /** By applying what was not there. */
    default void made(HasMetadata object, OperatorProcess operator) {}

    default void replaced(EtcdPeer before, EtcdPeer after, OperatorProcess operator) {}

    default void annotated(HasMetadata object, Map<String, String> annotations) {}

    default void marked(PersistentVolumeClaim claim, ClaimMark mark, OperatorProcess operator) {}

    default void deleted(HasMetadata object, OperatorProcess operator) {}

    default void reported(EtcdCluster before, EtcdClusterStatus after, OperatorProcess operator) {}

    /** The status of a backup, a schedule or a restore. */
    default void reported(HasMetadata before, HasMetadata after, OperatorProcess operator) {}

    /** @return what the change of members would break, before it is carried out */
    default Optional<? extends AssertionError> objection(MembershipChange change, OperatorProcess operator) {
        return Optional.empty();
    }

    /** A pod finds its volume in use. @param siblings whether the user is a pod of the same ReplicaSet */
    default void sharedVolume(boolean siblings, Pod pod, EtcdProcess user) {}

    /** etcd has made a new member on an empty volume. */
    default void formatted(EtcdProcess process, PersistentVolumeClaim claim) {}

    /** An agent reads the disk of a survivor. */
    default void read(PersistentVolumeClaim claim) {}

    /** An agent fills a claim. @param source empty if from a backup */
    default void filled(
            EtcdRestore restore, PersistentVolumeClaim target, Optional<Survivor> source, List<Integer> values) {}

    /** The disk of a survivor. */
    record Survivor(String claim, MemberData data) {}

    /** The API server was asked whether a cluster is as it was seen. */
    default void judged() {}
}
