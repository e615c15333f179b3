package etcdoperator.simulation;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.kube.Kube.ClaimMark;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Map;

/** Is told what an operator does to the API server, before it is stored, and may object. */
interface Witness {
    Witness NONE = new Witness() {};

    default void created(HasMetadata object, SimulatedOperator operator) {}

    /** By applying what was not there. */
    default void made(HasMetadata object, SimulatedOperator operator) {}

    default void replaced(EtcdPeer before, EtcdPeer after, SimulatedOperator operator) {}

    default void annotated(HasMetadata object, Map<String, String> annotations) {}

    default void marked(PersistentVolumeClaim claim, ClaimMark mark, SimulatedOperator operator) {}

    default void deleted(HasMetadata object, SimulatedOperator operator) {}

    default void reported(EtcdCluster before, EtcdClusterStatus after, SimulatedOperator operator) {}

    /** The status of a backup, a schedule or a restore. */
    default void reported(HasMetadata before, HasMetadata after, SimulatedOperator operator) {}

    /** The API server was asked whether a cluster is as it was seen. */
    default void judged() {}
}
