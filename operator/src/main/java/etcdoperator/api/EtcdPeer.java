package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import etcdoperator.api.rules.ApiGroup;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** One slot of a cluster, with an ordinal. The operator makes it; users read it. */
@JsonClassDescription(
        "One slot of an etcd cluster. It is made by the operator from an EtcdCluster; read it, do not edit it.")
@Group(ApiGroup.GROUP)
@Version(ApiGroup.VERSION)
@Kind("EtcdPeer")
@Plural("etcdpeers")
@Singular("etcdpeer")
@Categories("etcd-operator")
@AdditionalPrinterColumn(name = "Cluster", jsonPath = ".spec.clusterName", type = Type.STRING)
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase", type = Type.STRING)
@AdditionalPrinterColumn(name = "Member", jsonPath = ".status.memberId", type = Type.STRING)
@AdditionalPrinterColumn(name = "Version", jsonPath = ".status.serverVersion", type = Type.STRING)
@AdditionalPrinterColumn(name = "Node", jsonPath = ".status.node", type = Type.STRING)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
public final class EtcdPeer extends CustomResource<EtcdPeerSpec, EtcdPeerStatus> implements Namespaced {

    /** Records have no empty form: absent until set. */
    @Override
    protected @Nullable EtcdPeerSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable EtcdPeerStatus initStatus() {
        return null;
    }
}
