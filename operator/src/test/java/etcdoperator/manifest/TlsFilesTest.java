package etcdoperator.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSetup.PeerStage;
import etcdoperator.api.TlsSpec.ClientTlsMode;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.Scheme;
import etcdoperator.domain.Transport;
import etcdoperator.domain.Transport.Between;
import etcdoperator.domain.Transport.Client;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsFilesTest {
    private static final TlsSetup BOTH = Given.tls(ClientTlsMode.REQUIRED, PeerStage.REQUIRED);

    @ParameterizedTest
    @CsvSource({
        "3.4.23, experimental-peer-skip-client-san-verification",
        "3.5.35, experimental-peer-skip-client-san-verification",
        "3.6.16, peer-skip-client-san-verification",
        "3.7.3, peer-skip-client-san-verification"
    })
    void eachLineIsToldInItsOwnWords(String version, String skip) {
        assertThat(TlsFiles.flags(BOTH, EtcdVersion.parse(version)))
                .containsExactly(
                        "--cert-file=/etc/etcd/client-tls/tls.crt",
                        "--key-file=/etc/etcd/client-tls/tls.key",
                        "--trusted-ca-file=/etc/etcd/client-tls/ca.crt",
                        "--client-cert-auth=true",
                        "--peer-cert-file=/etc/etcd/peer-tls/tls.crt",
                        "--peer-key-file=/etc/etcd/peer-tls/tls.key",
                        "--peer-trusted-ca-file=/etc/etcd/peer-tls/ca.crt",
                        "--peer-client-cert-auth=true",
                        "--peer-cert-allowed-cn=c-peer",
                        "--" + skip + "=true");
    }

    /** etcd takes a common name or a host name, and only the host name has the namespace in it. */
    @ParameterizedTest
    @CsvSource({
        "3.4.23, experimental-peer-skip-client-san-verification",
        "3.7.3, peer-skip-client-san-verification"
    })
    void membersCheckAHostNameOfTheirNamespace(String version, String skip) {
        var named = new TlsSetup(
                null, new TlsSetup.PeerSide(PeerStage.REQUIRED, Given.files("c-peer-tls"), "c-peer", "c-0.c.ns.svc"));
        assertThat(TlsFiles.flags(named, EtcdVersion.parse(version)))
                .contains("--peer-cert-allowed-hostname=c-0.c.ns.svc", "--" + skip + "=true")
                .noneMatch(flag -> flag.contains("allowed-cn"));
        var brought = new TlsSetup(
                null, new TlsSetup.PeerSide(PeerStage.REQUIRED, Given.files("mine"), null, "c-0.c.ns.svc"));
        assertThat(TlsFiles.flags(brought, EtcdVersion.parse(version)))
                .contains("--peer-cert-allowed-hostname=c-0.c.ns.svc")
                .noneMatch(flag -> flag.contains("allowed-cn") || flag.contains("skip-client-san"));
    }

    @Test
    void withoutTlsNothingIsAdded() {
        for (String version : List.of("3.4.23", "3.5.35", "3.6.16", "3.7.3")) {
            assertThat(TlsFiles.flags(TlsSetup.NONE, EtcdVersion.parse(version)))
                    .isEmpty();
        }
        assertThat(TlsFiles.volumes(TlsSetup.NONE)).isEmpty();
        assertThat(TlsFiles.mounts(TlsSetup.NONE)).isEmpty();
    }

    @Test
    void certificatesOfUsersMayHaveAnyName() {
        var brought = new TlsSetup(null, new TlsSetup.PeerSide(PeerStage.REQUIRED, Given.files("mine"), null, null));
        assertThat(TlsFiles.flags(brought, EtcdVersion.parse("3.6.16")))
                .noneMatch(flag -> flag.contains("allowed-cn") || flag.contains("skip-client-san"))
                .contains("--peer-client-cert-auth=true");
    }

    @Test
    void theirFilesHaveTheSameNamesWhateverTheSecretCallsThem() {
        List<Volume> volumes = TlsFiles.volumes(BOTH);
        assertThat(volumes)
                .extracting(Volume::getName, volume -> volume.getSecret().getSecretName())
                .containsExactly(tuple("client-tls", "c-server-tls"), tuple("peer-tls", "c-peer-tls"));
        assertThat(volumes.getFirst().getSecret().getItems())
                .extracting(item -> item.getKey() + " as " + item.getPath())
                .containsExactly("server.crt as tls.crt", "server.key as tls.key", "server-ca.crt as ca.crt");
        assertThat(volumes.getFirst().getSecret().getDefaultMode())
                .as("for the group of etcd's user, and nobody else")
                .isEqualTo(0440);
    }

    @Test
    void noMountIsOfASingleFileForThoseAreNeverRefreshed() {
        assertThat(TlsFiles.mounts(BOTH))
                .extracting(VolumeMount::getMountPath)
                .containsExactly("/etc/etcd/client-tls", "/etc/etcd/peer-tls");
        assertThat(TlsFiles.mounts(BOTH))
                .allMatch(mount -> mount.getSubPath() == null && Boolean.TRUE.equals(mount.getReadOnly()));
    }

    @Test
    void podsSayHowTheySpeakAndAreReadThatWay() {
        for (Client client : Client.values()) {
            for (Between peer : Between.values()) {
                var transport = new Transport(client, peer);
                assertThat(Transports.of(Transports.annotations(transport), Transport.PLAIN))
                        .isEqualTo(transport);
            }
        }
        assertThat(Transports.annotations(Transport.PLAIN))
                .as("as pods were made before")
                .isEmpty();
        assertThat(Transports.of(Map.of(), Transports.of(BOTH))).isEqualTo(Transport.PLAIN);
    }

    @Test
    void aWordThatNobodyKnowsMeansWhatThePeerWouldGive() {
        var annotations = Map.of(Labels.CLIENT_TLS, "POST_QUANTUM", Labels.PEER_TLS, "required");
        var otherwise = new Transport(Client.PERMISSIVE, Between.REQUIRED);
        assertThat(Transports.of(annotations, otherwise)).isEqualTo(otherwise);
        assertThat(Transports.of(Map.of(Labels.CLIENT_TLS, "?", Labels.PEER_TLS, "PREPARED"), otherwise))
                .isEqualTo(new Transport(Client.PERMISSIVE, Between.PREPARED));
    }

    @Test
    void peersSpeakAsTheyAreSetUp() {
        assertThat(Transports.of(TlsSetup.NONE)).isEqualTo(Transport.PLAIN);
        assertThat(Transports.of(BOTH)).isEqualTo(new Transport(Client.REQUIRED, Between.REQUIRED));
        TlsSetup halfWay = Given.tls(ClientTlsMode.PERMISSIVE, PeerStage.PREPARED);
        assertThat(Transports.of(halfWay)).isEqualTo(new Transport(Client.PERMISSIVE, Between.PREPARED));
        assertThat(Transports.between(halfWay)).isEqualTo(Scheme.HTTP);
        assertThat(Transports.between(BOTH)).isEqualTo(Scheme.HTTPS);
        assertThat(Transports.between(TlsSetup.NONE)).isEqualTo(Scheme.HTTP);
    }
}
