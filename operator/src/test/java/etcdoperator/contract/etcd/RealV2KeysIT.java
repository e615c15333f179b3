package etcdoperator.contract.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.TlsMaterial;
import etcdoperator.etcd.V2Keys;
import etcdoperator.etcd.grpc.HttpV2Keys;
import etcdoperator.tls.MutualTls;
import etcdoperator.tls.PemPair;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Data of etcd 2, on the lines that can still have some. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35"})
class RealV2KeysIT extends EtcdTrial {
    private static final V2Keys KEYS = new HttpV2Keys();

    @Parameter
    String version;

    private ProcessStage processes;

    @Override
    EtcdStage open() {
        processes = new ProcessStage(EtcdBinary.of(version));
        return processes;
    }

    @Test
    void whoDoesNotServeThemHasNoneToBeSeen() throws EtcdException {
        formAlone();
        assertThat(KEYS.existAt(processes.endpoint("a"), DEADLINE)).isFalse();
    }

    @Test
    void whoServesThemShowsThem() throws EtcdException {
        processes.also("--enable-v2=true");
        formAlone();
        assertThat(stage.write("a", 1)).isTrue();
        assertThat(KEYS.existAt(processes.endpoint("a"), DEADLINE)).isFalse();
        processes.writeV2("a", "folder/key");
        assertThat(KEYS.existAt(processes.endpoint("a"), DEADLINE)).isTrue();
    }

    /** Called at its address, as pods are, and known by its name. */
    @Test
    void whereClientsMustUseTlsTheyAreSeen() throws Exception {
        try (OneMember etcd = OneMember.secure(version, "--enable-v2=true")) {
            Endpoint member = named(etcd.endpoint("root"), OneMember.NAME);
            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> !KEYS.existAt(member, DEADLINE));
            writeV2(member);
            assertThat(KEYS.existAt(member, DEADLINE)).isTrue();
        }
    }

    @Test
    void nobodyElseIsAskedAndNobodyElseMayAsk() {
        try (OneMember etcd = OneMember.secure(version);
                OneMember other = OneMember.secure(version)) {
            Endpoint member = etcd.endpoint("root");
            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> !KEYS.existAt(member, DEADLINE));
            Endpoint misnamed = named(member, "two.c.ns.svc");
            Endpoint untrusted = new Endpoint(
                    member.url(), member.authority(), other.endpoint("root").tls(), Optional.empty());
            TlsMaterial mine = member.tls().orElseThrow();
            TlsMaterial theirs = untrusted.tls().orElseThrow();
            Endpoint stranger = new Endpoint(
                    member.url(),
                    member.authority(),
                    Optional.of(new TlsMaterial(
                            mine.trustedCertificates(), theirs.certificateChain(), theirs.privateKey())),
                    Optional.empty());
            assertThat(List.of(misnamed, untrusted, stranger))
                    .allSatisfy(endpoint -> assertThatThrownBy(() -> KEYS.existAt(endpoint, DEADLINE))
                            .isInstanceOf(EtcdException.class));
            assertThatThrownBy(() -> KEYS.existAt(misnamed, DEADLINE))
                    .hasMessageContaining("not good for two.c.ns.svc");
        }
    }

    private static Endpoint named(Endpoint endpoint, String name) {
        return new Endpoint(endpoint.url(), Optional.of(name), endpoint.tls(), endpoint.credentials());
    }

    private static void writeV2(Endpoint member) throws IOException, InterruptedException {
        TlsMaterial tls = member.tls().orElseThrow();
        var context = MutualTls.context(
                new PemPair(tls.certificateChain(), tls.privateKey()), tls.trustedCertificates(), OneMember.NAME);
        var request = HttpRequest.newBuilder(member.url().resolve("/v2/keys/folder/key"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .PUT(HttpRequest.BodyPublishers.ofString("value=1"))
                .build();
        try (HttpClient http = HttpClient.newBuilder().sslContext(context).build()) {
            assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(201);
        }
    }

    private void formAlone() {
        stage.start(stage.flags("a", List.of("a"), "new", TOKEN));
        awaitWell("a");
    }
}
