package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;
import static etcdoperator.e2e.Testbed.KUBE;
import static etcdoperator.e2e.Testbed.testbed;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** An API server of Kubernetes, as a pod, whose data is in a cluster of ours. */
final class KubernetesOnEtcd {
    private static final String TOKEN = "administrator";

    private final TestNamespace namespace;

    private KubernetesOnEtcd(TestNamespace namespace) {
        this.namespace = namespace;
    }

    static KubernetesOnEtcd start(TestNamespace namespace, TestCluster cluster) {
        testbed("load-program", "kube-apiserver");
        namespace.apply(POD.formatted(
                key().indent(8), TOKEN, cluster.status().endpoints().getFirst()));
        var kubernetes = new KubernetesOnEtcd(namespace);
        try (KubernetesClient client = kubernetes.client()) {
            eventually().until(() -> client.namespaces().withName("default").get() != null);
        }
        return kubernetes;
    }

    KubernetesClient client() {
        String address = eventually()
                .until(
                        () -> KUBE.pods()
                                .inNamespace(namespace.name())
                                .withName("kubernetes")
                                .get()
                                .getStatus()
                                .getPodIP(),
                        found -> found != null);
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
                        .withMasterUrl("https://" + address + ":6443")
                        .withTrustCerts(true)
                        .withOauthToken(TOKEN)
                        .withNamespace("default")
                        .build())
                .build();
    }

    private static String key() {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            byte[] bytes = generator.generateKeyPair().getPrivate().getEncoded();
            return "-----BEGIN PRIVATE KEY-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                    + "\n-----END PRIVATE KEY-----\n";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final String POD = """
            apiVersion: v1
            kind: Secret
            metadata: {name: kubernetes}
            stringData:
              service-accounts.key: |
            %s  tokens.csv: "%s,administrator,administrator,system:masters"
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: kubernetes}
            spec:
              automountServiceAccountToken: false
              securityContext: {runAsNonRoot: true, runAsUser: 65532, fsGroup: 65532, seccompProfile: {type: RuntimeDefault}}
              containers:
                - name: kube-apiserver
                  image: testbed.local/kube-apiserver:1
                  imagePullPolicy: Never
                  args:
                    - /kube-apiserver
                    - --etcd-servers=%s
                    - --cert-dir=/certs
                    - --token-auth-file=/keys/tokens.csv
                    - --authorization-mode=RBAC
                    - --service-cluster-ip-range=10.98.0.0/24
                    - --service-account-issuer=https://kubernetes.default.svc
                    - --service-account-signing-key-file=/keys/service-accounts.key
                    - --service-account-key-file=/keys/service-accounts.key
                    - --disable-admission-plugins=ServiceAccount
                    - --profiling=false
                  securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
                  volumeMounts:
                    - {name: keys, mountPath: /keys}
                    - {name: certs, mountPath: /certs}
              volumes:
                - {name: keys, secret: {secretName: kubernetes}}
                - {name: certs, emptyDir: {}}
            """;
}
