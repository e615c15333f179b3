package etcdoperator.api.backup;

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

/** One backup of an etcd cluster. */
@JsonClassDescription("One backup of an etcd cluster.")
@Group(ApiGroup.GROUP)
@Version(ApiGroup.VERSION)
@Kind("EtcdBackup")
@Plural("etcdbackups")
@Singular("etcdbackup")
@Categories("etcd-operator")
@ValidationRule(
        value = "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
        message = "metadata.name must be a DNS label, because a Job is named after the backup: use lower case letters,"
                + " digits and '-', and start and end with a letter or digit")
@ValidationRule(
        value = "size(self.metadata.name) <= 56",
        message = "metadata.name must have at most 56 characters, so that the names of Jobs made from it fit: choose a"
                + " shorter name")
@ValidationRule(
        value = "self.spec == oldSelf.spec",
        message = "spec cannot be changed, because a backup is taken once: create another EtcdBackup",
        fieldPath = ".spec")
@AdditionalPrinterColumn(name = "Cluster", jsonPath = ".spec.source.cluster", type = Type.STRING)
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase", type = Type.STRING)
@AdditionalPrinterColumn(name = "Revision", jsonPath = ".status.revision", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Bytes", jsonPath = ".status.sizeBytes", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Completed", jsonPath = ".status.completionTime", type = Type.DATE)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@AdditionalPrinterColumn(name = "Object", jsonPath = ".status.objectURL", type = Type.STRING, priority = 1)
@AdditionalPrinterColumn(
        name = "Message",
        jsonPath = ".status.conditions[?(@.type==\"Complete\")].message",
        type = Type.STRING,
        priority = 1)
public final class EtcdBackup extends CustomResource<EtcdBackupSpec, EtcdBackupStatus> implements Namespaced {

    /** Records have no empty form: absent until set. */
    @Override
    protected @Nullable EtcdBackupSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable EtcdBackupStatus initStatus() {
        return null;
    }
}
