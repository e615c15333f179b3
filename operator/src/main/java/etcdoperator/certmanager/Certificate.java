package etcdoperator.certmanager;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** What cert-manager is asked for: a certificate in a Secret, kept from ending. */
@Group("cert-manager.io")
@Version("v1")
public final class Certificate extends CustomResource<CertificateSpec, CertificateStatus> implements Namespaced {
    private static final long serialVersionUID = 1L;
}
