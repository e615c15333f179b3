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
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** One etcd cluster, as its user asks for it. */
@JsonClassDescription("An etcd cluster. Create one in the namespace where its pods shall run.")
@Group(ApiGroup.GROUP)
@Version(ApiGroup.VERSION)
@Kind("EtcdCluster")
@Plural("etcdclusters")
@Singular("etcdcluster")
@ShortNames("etcd")
@Categories("etcd-operator")
@ValidationRule(
        value = "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
        message = "metadata.name must be a DNS-1035 label, because Services are named after the cluster: use lower case"
                + " letters, digits and '-', start with a letter and end with a letter or digit")
@ValidationRule(
        value = "size(self.metadata.name) <= 45",
        message = "metadata.name must have at most 45 characters, so that the names of pods, Services and Secrets made"
                + " from it fit: choose a shorter name")
@ValidationRule(
        value = VersionRules.WAY_BACK,
        message =
                "spec.version cannot go down to 3.4 or lower once the cluster has left it, because these do not start on"
                        + " data of later versions: choose another version, or restore a backup into a new cluster",
        messageExpression = VersionRules.WAY_BACK_MESSAGE,
        fieldPath = ".spec.version")
@ValidationRule(
        value = VersionRules.ONE_MINOR,
        message = "spec.version goes up or down one minor at a time: first set it to a version of the next minor, wait"
                + " until the cluster runs it, then go on",
        messageExpression = VersionRules.ONE_MINOR_MESSAGE,
        fieldPath = ".spec.version")
@ValidationRule(
        value = VersionRules.FLOOR,
        message =
                "spec.version goes to 3.6 only from 3.5.26 or later, and to 3.7 only from 3.6.11 or later: first set it"
                        + " to such a version, wait until the cluster runs it, then go on",
        messageExpression = VersionRules.FLOOR_MESSAGE,
        fieldPath = ".spec.version")
@AdditionalPrinterColumn(name = "Version", jsonPath = ".spec.version", type = Type.STRING)
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.readyReplicas", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Desired", jsonPath = ".spec.replicas", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Leader", jsonPath = ".status.leader", type = Type.STRING)
@AdditionalPrinterColumn(
        name = "Status",
        jsonPath = ".status.conditions[?(@.type==\"Available\")].reason",
        type = Type.STRING)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
public final class EtcdCluster extends CustomResource<EtcdClusterSpec, EtcdClusterStatus> implements Namespaced {

    /** Records have no empty form: absent until set. */
    @Override
    protected @Nullable EtcdClusterSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable EtcdClusterStatus initStatus() {
        return null;
    }
}
