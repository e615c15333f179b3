package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import etcdoperator.api.rules.ApiGroup;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** One restore: a cluster that is made from a backup, or is given the data of one. */
@JsonClassDescription("Restores a backup: into a new etcd cluster, or in place of the data of one that exists.")
@Group(ApiGroup.GROUP)
@Version(ApiGroup.VERSION)
@Kind("EtcdRestore")
@Plural("etcdrestores")
@Singular("etcdrestore")
@Categories("etcd-operator")
@ValidationRule(
        value = "size(self.metadata.name) <= 50",
        message =
                "metadata.name must have at most 50 characters, so that the names of the Jobs made from it fit: choose"
                        + " a shorter name")
@AdditionalPrinterColumn(name = "Cluster", jsonPath = ".spec.clusterTemplate.clusterName", type = Type.STRING)
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase", type = Type.STRING)
@AdditionalPrinterColumn(name = "Revision", jsonPath = ".status.revision", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Backup", jsonPath = ".status.backupTime", type = Type.DATE)
@AdditionalPrinterColumn(
        name = "Status",
        jsonPath = ".status.conditions[?(@.type==\"Complete\")].reason",
        type = Type.STRING)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
public final class EtcdRestore extends CustomResource<EtcdRestoreSpec, EtcdRestoreStatus> implements Namespaced {

    /** Records have no empty form: absent until set. */
    @Override
    protected @Nullable EtcdRestoreSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable EtcdRestoreStatus initStatus() {
        return null;
    }
}
