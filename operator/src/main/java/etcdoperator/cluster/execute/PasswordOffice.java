package etcdoperator.cluster.execute;

import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.PasswordSecrets;
import io.fabric8.kubernetes.api.model.Secret;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/** Makes the Secrets with passwords of the operator's choice. Each is new, or changes one that was read before. */
public final class PasswordOffice {
    /** 192 bits, which nobody guesses; etcd's bcrypt looks at no more than 72 characters. */
    private static final int BYTES = 24;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final ClusterObjects objects;

    public PasswordOffice(ClusterObjects objects) {
        this.objects = objects;
    }

    public void make(String secret, String user, Kube kube) throws StaleViewException, RefusedException {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        store(PasswordSecrets.of(objects.cluster(), secret, user, Optional.of(password)), kube);
    }

    public void forget(String secret, String user, Kube kube) throws StaleViewException, RefusedException {
        store(PasswordSecrets.of(objects.cluster(), secret, user, Optional.empty()), kube);
    }

    private void store(Secret made, Kube kube) throws StaleViewException, RefusedException {
        Optional<Secret> present =
                ClusterObjects.find(objects.secrets(), made.getMetadata().getName());
        if (present.isEmpty()) {
            kube.create(made);
            return;
        }
        SecretReplacement.of(present.get(), made, objects.cluster());
        kube.replace(made);
    }
}
