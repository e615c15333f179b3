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

/** Backups of an etcd cluster, again and again. */
@JsonClassDescription("Backups of an etcd cluster, again and again.")
@Group(ApiGroup.GROUP)
@Version(ApiGroup.VERSION)
@Kind("EtcdBackupSchedule")
@Plural("etcdbackupschedules")
@Singular("etcdbackupschedule")
@Categories("etcd-operator")
@ValidationRule(
        value = "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
        message = "metadata.name must be a DNS label, because backups are named after the schedule: use lower case"
                + " letters, digits and '-', and start and end with a letter or digit")
@ValidationRule(
        value = "size(self.metadata.name) <= 43",
        message = "metadata.name must have at most 43 characters, so that the names of backups made from it fit: choose"
                + " a shorter name")
@AdditionalPrinterColumn(name = "Schedule", jsonPath = ".spec.schedule", type = Type.STRING)
@AdditionalPrinterColumn(name = "Suspend", jsonPath = ".spec.suspend", type = Type.BOOLEAN)
@AdditionalPrinterColumn(name = "Last schedule", jsonPath = ".status.lastScheduleTime", type = Type.DATE)
@AdditionalPrinterColumn(name = "Last success", jsonPath = ".status.lastSuccessTime", type = Type.DATE)
@AdditionalPrinterColumn(name = "Kept", jsonPath = ".status.kept", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@AdditionalPrinterColumn(name = "Drill", jsonPath = ".status.drill.result", type = Type.STRING, priority = 1)
@AdditionalPrinterColumn(name = "Next", jsonPath = ".status.nextScheduleTime", type = Type.STRING, priority = 1)
public final class EtcdBackupSchedule extends CustomResource<EtcdBackupScheduleSpec, EtcdBackupScheduleStatus>
        implements Namespaced {

    /** Records have no empty form: absent until set. */
    @Override
    protected @Nullable EtcdBackupScheduleSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable EtcdBackupScheduleStatus initStatus() {
        return null;
    }
}
