package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
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

/** A new etcd cluster from a backup. Refused until a release of the operator acts on it. */
@JsonClassDescription("A new etcd cluster from a backup.")
@Group(ApiGroup.GROUP)
@Version(ApiGroup.VERSION)
@Kind("EtcdRestore")
@Plural("etcdrestores")
@Singular("etcdrestore")
@Categories("etcd-operator")
@ValidationRule(
        value = "false",
        message =
                "EtcdRestore is not supported by this release of the operator: remove it, and use etcdutl snapshot restore"
                        + " meanwhile")
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
