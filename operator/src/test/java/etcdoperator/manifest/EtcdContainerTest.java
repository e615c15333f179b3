package etcdoperator.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.TlsSetup.PeerStage;
import etcdoperator.api.TlsSpec.ClientTlsMode;
import etcdoperator.manifest.Addresses.IpFamily;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Probe;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdContainerTest {
    @Test
    void etcdIsToldWhoItIsAndWhereItListens() {
        assertThat(container(Given.cluster()).getArgs())
                .containsExactly(
                        "--name=c-1",
                        "--data-dir=/var/lib/etcd/data",
                        "--listen-peer-urls=http://0.0.0.0:2380",
                        "--listen-client-urls=http://0.0.0.0:2379",
                        "--listen-metrics-urls=http://0.0.0.0:2381",
                        "--initial-advertise-peer-urls=http://c-1.c.ns.svc:2380",
                        "--advertise-client-urls=http://c-1.c.ns.svc:2379");
    }

    @Test
    void itListensOnEveryAddressOfItsFamily() {
        var container = EtcdContainer.of(Given.founder(Given.cluster()), IpFamily.of("fd00::17"));
        assertThat(container.getArgs())
                .contains(
                        "--listen-peer-urls=http://[::]:2380",
                        "--listen-client-urls=http://[::]:2379",
                        "--listen-metrics-urls=http://[::]:2381");
    }

    @Test
    void withTlsOnlyMetricsStayInPlainText() {
        assertThat(secured(ClientTlsMode.REQUIRED, PeerStage.REQUIRED))
                .contains(
                        "--listen-peer-urls=https://0.0.0.0:2380",
                        "--listen-client-urls=https://0.0.0.0:2379",
                        "--initial-advertise-peer-urls=https://c-1.c.ns.svc:2380",
                        "--advertise-client-urls=https://c-1.c.ns.svc:2379",
                        "--listen-metrics-urls=http://0.0.0.0:2381");
    }

    @Test
    void onTheWayToTlsClientsHaveBothAndMembersFindItWhereItWas() {
        assertThat(secured(ClientTlsMode.PERMISSIVE, PeerStage.PREPARED))
                .contains(
                        "--listen-peer-urls=http://0.0.0.0:2380",
                        "--listen-client-urls=http://0.0.0.0:2379,https://0.0.0.0:2379",
                        "--initial-advertise-peer-urls=http://c-1.c.ns.svc:2380",
                        "--advertise-client-urls=http://c-1.c.ns.svc:2379,https://c-1.c.ns.svc:2379",
                        "--peer-cert-file=/etc/etcd/peer-tls/tls.crt");
    }

    private static List<String> secured(ClientTlsMode mode, PeerStage stage) {
        return EtcdContainer.of(Given.secured(Given.cluster(), Given.tls(mode, stage)), IpFamily.IPV4)
                .getArgs();
    }

    @Test
    void settingsOfTheClusterAreFlagsOfItsMembers() {
        EtcdCluster cluster = Given.cluster("""
                etcd:
                  quotaBackendBytes: 8589934592
                  extraArgs: {experimental-corrupt-check-time: 1h}
                """);
        assertThat(container(cluster).getArgs())
                .contains("--quota-backend-bytes=8589934592", "--corrupt-check-time=1h")
                .hasSize(container(Given.cluster()).getArgs().size() + 2);
        assertThat(EtcdContainer.of(Given.existing(cluster), IpFamily.IPV4).getArgs())
                .contains("--quota-backend-bytes=8589934592", "--corrupt-check-time=1h");
    }

    /** A password that a user gives to etcd in its environment must not appear in what its flags show. */
    @ParameterizedTest
    @ValueSource(strings = {"$(PASSWORD)", "$$(PASSWORD)", "a$$b", "$", "$(", "50$ (net)", "$$$(PASSWORD)$"})
    void aFlagArrivesAsItIsWritten(String value) {
        EtcdCluster cluster = Given.cluster("etcd: {extraArgs: {log-format: '%s'}}".formatted(value));
        assertThat(KubeletExpansion.of(container(cluster), Map.of("PASSWORD", "secret")))
                .contains("--log-format=" + value);
    }

    @Test
    void anOrdinaryFlagIsRenderedAsItAlwaysWas() {
        EtcdCluster cluster = Given.cluster("etcd: {extraArgs: {log-format: 'cost in $'}}");
        assertThat(container(cluster).getArgs()).contains("--log-format=cost in $");
    }

    @Test
    void onlyTheOldestLineIsAskedToVoteTwice() {
        assertThat(container(Given.clusterOf("3.4.23")).getArgs()).contains("--pre-vote=true");
        assertThat(container(Given.clusterOf("3.5.35")).getArgs()).doesNotContain("--pre-vote=true");
    }

    @Test
    void whetherItMayFoundAClusterIsReadAnewAtEachStart() {
        assertThat(container(Given.cluster()).getEnv())
                .extracting(
                        EnvVar::getName, env -> env.getValueFrom().getFieldRef().getFieldPath())
                .containsExactly(
                        tuple("ETCD_INITIAL_CLUSTER", "metadata.annotations['etcd.improbable.io/initial-cluster']"),
                        tuple(
                                "ETCD_INITIAL_CLUSTER_STATE",
                                "metadata.annotations['etcd.improbable.io/initial-cluster-state']"),
                        tuple(
                                "ETCD_INITIAL_CLUSTER_TOKEN",
                                "metadata.annotations['etcd.improbable.io/initial-cluster-token']"));
    }

    @ParameterizedTest
    @CsvSource({"200m,1", "1,1", "1500m,1", "1.9,1", "2,2", "3900m,3", "16,16"})
    void goUsesTheWholeCoresOfTheLimit(String limit, String cores) {
        EtcdCluster cluster = Given.cluster("podTemplate: {resources: {limits: {cpu: '%s'}}}".formatted(limit));
        assertThat(variable(cluster, "GOMAXPROCS")).contains(cores);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "podTemplate: {resources: {requests: {cpu: 2}}}",
                "podTemplate: {resources: {limits: {memory: 1Gi}}}"
            })
    void withoutALimitGoDecides(String spec) {
        assertThat(variable(Given.cluster(spec), "GOMAXPROCS")).isEmpty();
    }

    @Test
    void usersAddVariables() {
        EtcdCluster cluster = Given.cluster("podTemplate: {env: [{name: TZ, value: UTC}]}");
        assertThat(variable(cluster, "TZ")).contains("UTC");
        assertThat(container(cluster).getEnv()).hasSize(4);
    }

    @Test
    void resourcesAreTheUsers() {
        var resources = container(
                        Given.cluster("podTemplate: {resources: {limits: {cpu: 2, memory: 1Gi}, requests: {cpu: 1}}}"))
                .getResources();
        assertThat(resources.getLimits()).containsOnlyKeys("cpu", "memory");
        assertThat(resources.getRequests()).containsOnlyKeys("cpu");
    }

    @Test
    void theImageIsRepositoryAndVersion() {
        Container byDefault = container(Given.cluster());
        assertThat(byDefault.getImage()).isEqualTo("quay.io/coreos/etcd:v3.6.16");
        assertThat(byDefault.getImagePullPolicy()).isEqualTo("IfNotPresent");

        Container chosen = container(Given.cluster("image: {repository: registry:5000/etcd, pullPolicy: Always}"));
        assertThat(chosen.getImage()).isEqualTo("registry:5000/etcd:v3.6.16");
        assertThat(chosen.getImagePullPolicy()).isEqualTo("Always");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
    void aStartTakesAsLongAsItTakesAndNothingKillsALivingMember(String version) {
        Container container = container(Given.clusterOf(version));
        Probe startup = container.getStartupProbe();
        assertThat(startup.getHttpGet().getPath()).isEqualTo("/health");
        assertThat(startup.getHttpGet().getPort().getIntVal()).isEqualTo(2381);
        assertThat(startup.getHttpGet().getScheme()).isEqualTo("HTTP");
        assertThat(startup.getFailureThreshold()).isEqualTo(Integer.MAX_VALUE);
        assertThat(container.getLivenessProbe()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.29", "3.5.35", "3.6.16", "3.7.3"})
    void losingQuorumDoesNotEmptyTheClientService(String version) {
        Probe readiness = container(Given.clusterOf(version)).getReadinessProbe();
        assertThat(readiness.getHttpGet().getPath()).isEqualTo("/readyz?exclude=linearizable_read");
        assertThat(readiness.getHttpGet().getPort().getIntVal()).isEqualTo(2381);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.10"})
    void withoutReadyzAnOpenClientPortIsReady(String version) {
        Probe readiness = container(Given.clusterOf(version)).getReadinessProbe();
        assertThat(readiness.getHttpGet()).isNull();
        assertThat(readiness.getTcpSocket().getPort().getIntVal()).isEqualTo(2379);
    }

    @Test
    void itRunsWithoutAnyRightToTheNode() {
        var security = container(Given.cluster()).getSecurityContext();
        assertThat(security.getAllowPrivilegeEscalation()).isFalse();
        assertThat(security.getReadOnlyRootFilesystem()).isTrue();
        assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
    }

    @Test
    void itsLastWordsCanBeRead() {
        assertThat(container(Given.cluster()).getTerminationMessagePolicy()).isEqualTo("FallbackToLogsOnError");
    }

    @Test
    void dataIsInAFolderOfTheVolume() {
        assertThat(container(Given.cluster()).getVolumeMounts()).singleElement().satisfies(mount -> {
            assertThat(mount.getName()).isEqualTo("data");
            assertThat(mount.getMountPath()).isEqualTo("/var/lib/etcd");
        });
        assertThat(container(Given.cluster()).getPorts())
                .extracting(ContainerPort::getName, ContainerPort::getContainerPort)
                .containsExactly(tuple("client", 2379), tuple("peer", 2380), tuple("metrics", 2381));
    }

    private static Optional<String> variable(EtcdCluster cluster, String name) {
        List<EnvVar> environment = container(cluster).getEnv();
        return environment.stream()
                .filter(env -> env.getName().equals(name))
                .map(EnvVar::getValue)
                .findFirst();
    }

    private static Container container(EtcdCluster cluster) {
        return EtcdContainer.of(Given.founder(cluster), IpFamily.IPV4);
    }
}
