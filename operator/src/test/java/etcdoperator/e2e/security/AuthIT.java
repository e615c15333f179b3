package etcdoperator.e2e.security;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.ClientTls;
import etcdoperator.api.TlsSpec.ManagedCertificates;
import etcdoperator.e2e.fixture.Bucket;
import etcdoperator.e2e.fixture.Door;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.Login;
import etcdoperator.e2e.fixture.TestBackup;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.TestRestore;
import etcdoperator.e2e.fixture.Writers;
import etcdoperator.etcd.grpc.proto.AuthEnableRequest;
import etcdoperator.etcd.grpc.proto.AuthGrpc;
import etcdoperator.etcd.grpc.proto.AuthRoleAddRequest;
import etcdoperator.etcd.grpc.proto.AuthUserAddRequest;
import etcdoperator.etcd.grpc.proto.AuthUserGrantRoleRequest;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clusters that ask their clients who they are. */
@Execution(ExecutionMode.CONCURRENT)
class AuthIT {
    private static final Duration SHORT = Duration.ofSeconds(5);

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void enabledAndLivedWithAndDisabledUnderWrites() {
        TestCluster cluster =
                namespace.cluster("guarded", TestCluster.members(3)).create().awaitHealthy();
        secret("app", "apple");
        var app = new Login("app", namespace.name(), "app");
        try (Writers writers = Writers.start(cluster, Optional.of(app))) {
            writers.awaitMore(20);
            cluster.change(Map.of("auth", auth()));
            awaitGuarded(cluster, true);
            writers.awaitMore(20);
            cluster.scale(5);
            cluster.awaitHealthy();
            cluster.scale(3);
            cluster.awaitHealthy();
            cluster.deleteClaim("guarded-1");
            cluster.awaitHealthy();
            cluster.change(Map.of("podTemplate", Map.of("metadata", Map.of("annotations", Map.of("turn", "two")))));
            cluster.awaitHealthy();
            writers.awaitMore(20);
            cluster.change(Collections.singletonMap("auth", null));
            awaitGuarded(cluster, false);
            writers.awaitMore(20);
            writers.stop();
            writers.assertNothingLost();
        }
    }

    @Test
    void passwordsChangeAndTheOperatorGoesOn() {
        secret("boss", "first");
        secret("app", "apple");
        TestCluster cluster =
                namespace.cluster("turning", TestCluster.members(3)).create().awaitHealthy();
        Map<String, Object> auth = new HashMap<>(auth());
        auth.put("rootSecret", Map.of("name", "boss"));
        cluster.change(Map.of("auth", auth));
        awaitGuarded(cluster, true);
        Pod pod = cluster.pod("turning-0");
        eventually().until(() -> isLetIn(pod, new Login("root", namespace.name(), "boss"), "/anywhere"));
        secret("boss", "second");
        secret("app", "pear");
        eventually().until(() -> isLetIn(pod, new Login("root", namespace.name(), "boss"), "/anywhere"));
        eventually().until(() -> isLetIn(pod, new Login("app", namespace.name(), "app"), Writers.PREFIX + "x"));
        assertThat(isLetIn(pod, new Login("app", namespace.name(), "app"), "/anywhere"))
                .isFalse();
        cluster.scale(4);
        cluster.awaitHealthy();
        assertThat(cluster.events())
                .extracting(Event::getMessage)
                .noneMatch(message ->
                        List.of("first", "second", "apple", "pear").stream().anyMatch(message::contains));
    }

    @Test
    void whatIsMissingIsToldAndComes() {
        TestCluster cluster =
                namespace.cluster("waiting", TestCluster.members(1)).create().awaitHealthy();
        cluster.change(Map.of("auth", auth()));
        eventually()
                .untilAsserted(() ->
                        assertThat(cluster.condition("Degraded").getMessage()).contains("Secret app"));
        assertThat(cluster.condition("Degraded").getReason()).isEqualTo("PasswordMissing");
        secret("app", "apple");
        awaitGuarded(cluster, true);
    }

    @Test
    void whoEnablesItByHandIsToldWhatToSupply() {
        TestCluster cluster =
                namespace.cluster("handy", TestCluster.members(3)).create().awaitHealthy();
        enableByHand(cluster.pod("handy-0"), "secret");
        eventually()
                .untilAsserted(() ->
                        assertThat(cluster.condition("Degraded").getReason()).isEqualTo("AccessDenied"));
        Map<String, String> members = cluster.memberIds();
        secret("boss", "secret");
        cluster.change(Map.of(
                    "auth",
                    Map.of("enabled", true, "allowInsecurePeers", true, "rootSecret", Map.of("name", "boss"))));
        cluster.awaitHealthy();
        cluster.scale(4);
        cluster.awaitHealthy();
        assertThat(cluster.memberIds()).containsAllEntriesOf(members);
    }

    @Test
    void withCertificatesTheOperatorIsRootWhoeverEnabledIt() {
        EtcdClusterSpec spec = TestCluster.members(3)
                .withTls(
                        new TlsSpec(new ClientTls(new ManagedCertificates(), null, null, null), null, List.of(), null));
        TestCluster cluster = namespace.cluster("known", spec).create().awaitHealthy();
        enableByHand(cluster.pod("known-0"), "secret");
        cluster.scale(4);
        cluster.awaitHealthy();
        cluster.scale(3);
        cluster.awaitHealthy();
        assertThat(cluster.is("Degraded")).isFalse();
    }

    @Test
    void aBackupKeepsItsUsersAndWhoRestoresItSuppliesTheirPasswords() {
        secret("boss", "first");
        secret("app", "apple");
        secret("stranger", "unknown");
        Map<String, Object> auth = new HashMap<>(auth());
        auth.put("rootSecret", Map.of("name", "boss"));
        TestCluster origin =
                namespace.cluster("origin", TestCluster.members(1)).create().awaitHealthy();
        origin.change(Map.of("auth", auth));
        awaitGuarded(origin, true);
        var app = new Login("app", namespace.name(), "app");
        assertThat(isLetIn(origin.pod("origin-0"), app, Writers.PREFIX + "kept"))
                .isTrue();
        Bucket bucket = Bucket.open(namespace);
        TestBackup.create(namespace, "guarded", "{cluster: origin}", bucket.block("guarded.db"))
                .awaitCompleted();
        TestRestore.create(
                        namespace,
                        "known",
                        "backup: guarded",
                        "known",
                        3,
                        ", auth: {enabled: true, allowInsecurePeers: true, rootSecret: {name: boss}}")
                .awaitCompleted();
        TestCluster known = namespace.cluster("known", TestCluster.members(3)).awaitHealthy();
        try (Etcd etcd = new Etcd(Door.of(known.pod("known-2")).as(Optional.of(app)))) {
            assertThat(etcd.read(Writers.PREFIX)).containsKey(Writers.PREFIX + "kept");
        }
        assertThat(refusal(known.pod("known-0"))).contains("user name is empty");
        TestRestore.create(
                namespace,
                "locked",
                "backup: guarded",
                "locked",
                3,
                ", auth: {enabled: true, allowInsecurePeers: true, rootSecret: {name: stranger}}");
        TestCluster locked = namespace.cluster("locked", TestCluster.members(3));
        eventually()
                .untilAsserted(() ->
                        assertThat(locked.condition("Degraded").getReason()).isEqualTo("AccessDenied"));
        secret("stranger", "first");
        locked.awaitHealthy();
    }

    private static Map<String, Object> auth() {
        return Map.of(
                "enabled",
                true,
                "allowInsecurePeers",
                true,
                "users",
                List.of(Map.of("name", "app", "passwordSecret", Map.of("name", "app"), "roles", List.of("app"))),
                "roles",
                List.of(Map.of(
                        "name",
                        "app",
                        "permissions",
                        List.of(
                                Map.of("prefix", Writers.PREFIX, "access", "ReadWrite"),
                                Map.of("key", "probe", "access", "ReadWrite")))));
    }

    private static void awaitGuarded(TestCluster cluster, boolean guarded) {
        Pod pod = cluster.pod(cluster.name() + "-0");
        eventually()
                .until(() -> guarded
                        ? refusal(pod).contains("user name is empty")
                        : refusal(pod).isEmpty());
        cluster.awaitHealthy();
    }

    /** What somebody is told who does not say who he is; nothing where he is let in. */
    private static String refusal(Pod pod) {
        try (Etcd nobody = Etcd.of(pod)) {
            nobody.put("probe", "", SHORT);
            return "";
        } catch (StatusRuntimeException e) {
            return String.valueOf(e.getStatus().getDescription());
        }
    }

    private static boolean isLetIn(Pod pod, Login login, String key) {
        try (Etcd etcd = new Etcd(Door.of(pod).as(Optional.of(login)))) {
            etcd.put(key, "", SHORT);
            return true;
        } catch (StatusRuntimeException e) {
            return false;
        }
    }

    private static void enableByHand(Pod pod, String password) {
        try (Etcd hand = Etcd.of(pod)) {
            var auth = AuthGrpc.newBlockingStub(hand.channel());
            var _ = auth.userAdd(AuthUserAddRequest.newBuilder()
                    .setName("root")
                    .setPassword(password)
                    .build());
            var _ = auth.roleAdd(AuthRoleAddRequest.newBuilder().setName("root").build());
            var _ = auth.userGrantRole(AuthUserGrantRoleRequest.newBuilder()
                    .setUser("root")
                    .setRole("root")
                    .build());
            var _ = auth.authEnable(AuthEnableRequest.getDefaultInstance());
            // Who shows a certificate is somebody who may nothing; who shows none is nobody.
            assertThatThrownBy(() -> hand.put("probe", "", SHORT)).hasMessageContaining("etcdserver: ");
        }
    }

    private void secret(String name, String password) {
        KUBE.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace.name())
                        .withName(name)
                        .endMetadata()
                        .addToStringData("password", password)
                        .build())
                .forceConflicts()
                .serverSideApply();
    }
}
