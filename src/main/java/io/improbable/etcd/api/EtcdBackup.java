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

/** One backup of an etcd cluster. Refused until a release of the operator acts on it. */
@JsonClassDescription("One backup of an etcd cluster.")
@Group(ApiGroup.GROUP)
@Version(ApiGroup.VERSION)
@Kind("EtcdBackup")
@Plural("etcdbackups")
@Singular("etcdbackup")
@Categories("etcd-operator")
@ValidationRule(
        value = "false",
        message =
                "EtcdBackup is not supported by this release of the operator: remove it, and use etcdctl snapshot save"
                        + " meanwhile")
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
