package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;
import static etcdoperator.e2e.Testbed.KUBE;
import static etcdoperator.e2e.Testbed.testbed;

import etcdoperator.store.Store;
import etcdoperator.store.StoreAddress;
import etcdoperator.store.StoreCredentials.AccessKey;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** A real S3 server, as a pod of the test's namespace, and a bucket in it. */
final class Bucket {
    private static final AccessKey KEY = new AccessKey("tester", "a-very-secret-key", Optional.empty());
    private static final Object LOADING = new Object();
    private static boolean loaded;

    private final String namespace;

    private Bucket(String namespace) {
        this.namespace = namespace;
    }

    /** @param cpu little of it makes a store slow, so that there is a middle of an upload */
    static Bucket open(TestNamespace namespace, String cpu) {
        loadOnce();
        var bucket = new Bucket(namespace.name());
        namespace.apply(SERVER.formatted(cpu, KEY.id(), KEY.secret(), KEY.id(), KEY.secret()));
        eventually().until(() -> bucket.pod().getStatus().getPodIP() != null);
        eventually().until(() -> bucket.make());
        return bucket;
    }

    static Bucket open(TestNamespace namespace) {
        return open(namespace, "1");
    }

    /** The block {@code bucket} of a manifest, to be put below what names a store. */
    String block(String objectPath, String secret) {
        return """
                bucket:
                  bucketURL: s3://backups
                  objectPath: "%s"
                  endpoint: http://store.%s.svc:9000
                  credentials: {aws: {secretRef: {name: %s}}}
                """.formatted(objectPath, namespace, secret);
    }

    String block(String objectPath) {
        return block(objectPath, "store-credentials");
    }

    List<String> objects() {
        return with(store ->
                store.list("").stream().map(object -> object.path()).sorted().toList());
    }

    byte[] read(String path) {
        return with(store -> {
            try (var object = store.open(path)) {
                return object.readAllBytes();
            }
        });
    }

    void write(String path, byte[] bytes) {
        with(store -> {
            try (var upload = store.begin(path)) {
                upload.write(bytes);
                upload.complete();
            }
            return path;
        });
    }

    void delete(String path) {
        with(store -> {
            store.delete(path);
            return path;
        });
    }

    /** The server stays, the bucket goes, with all that is in it. */
    void vanish() {
        objects().forEach(this::delete);
        try (var client = S3.client(endpoint(), KEY)) {
            client.deleteBucket(request -> request.bucket("backups"));
        }
    }

    private boolean make() {
        try (var client = S3.client(endpoint(), KEY)) {
            client.createBucket(request -> request.bucket("backups"));
            return true;
        } catch (software.amazon.awssdk.core.exception.SdkClientException e) {
            return false;
        }
    }

    private String endpoint() {
        return "http://" + pod().getStatus().getPodIP() + ":9000";
    }

    private Pod pod() {
        return KUBE.pods().inNamespace(namespace).withName("store").get();
    }

    private <T> T with(Errand<T> errand) {
        try (Store store = Store.in(StoreAddress.parse("s3://backups", endpoint(), null, null), KEY)) {
            return errand.run(store);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void loadOnce() {
        synchronized (LOADING) {
            if (!loaded) {
                testbed("load-program", "versitygw");
                loaded = true;
            }
        }
    }

    /** What is done with a store. */
    private interface Errand<T> {
        T run(Store store) throws IOException;
    }

    private static final String SERVER = """
            apiVersion: v1
            kind: Pod
            metadata: {name: store, labels: {app: store}}
            spec:
              automountServiceAccountToken: false
              securityContext: {runAsNonRoot: true, runAsUser: 65532, fsGroup: 65532, seccompProfile: {type: RuntimeDefault}}
              containers:
                - name: versitygw
                  image: testbed.local/versitygw:1
                  imagePullPolicy: Never
                  args: [/versitygw, --quiet, "--port=:9000", posix, --sidecar=/more, /data]
                  resources: {requests: {cpu: 10m}, limits: {cpu: "%s"}}
                  env:
                    - {name: ROOT_ACCESS_KEY, value: %s}
                    - {name: ROOT_SECRET_KEY, value: %s}
                  securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
                  volumeMounts:
                    - {name: data, mountPath: /data}
                    - {name: more, mountPath: /more}
              volumes:
                - {name: data, emptyDir: {}}
                - {name: more, emptyDir: {}}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: store}
            spec:
              selector: {app: store}
              ports: [{port: 9000}]
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: store-credentials}
            stringData: {AWS_ACCESS_KEY_ID: %s, AWS_SECRET_ACCESS_KEY: %s}
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: wrong-credentials}
            stringData: {AWS_ACCESS_KEY_ID: tester, AWS_SECRET_ACCESS_KEY: this-is-not-it}
            """;
}
