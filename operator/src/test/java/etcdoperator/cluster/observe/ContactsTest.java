package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdPeer;
import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSpec;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Transport;
import etcdoperator.domain.Transport.Between;
import etcdoperator.domain.Transport.Client;
import etcdoperator.etcd.Endpoint;
import etcdoperator.manifest.SecretNames;
import etcdoperator.manifest.TlsSecrets;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContactsTest {
    private static final PeerView PEER = CertifiedMembers.peer("c-0", TlsSetup.NONE, "");

    private static Optional<Endpoint> endpoint(Certified cluster, Client served) {
        PodView pod = CertifiedMembers.pod(PEER, new Transport(served, Between.PLAIN));
        Map<PeerName, Endpoint> all = new Contacts(cluster.objects()).of(List.of(PEER), List.of(pod));
        return Optional.ofNullable(all.get(PEER.name()));
    }

    private static Optional<String> url(Certified cluster, Client served) {
        return endpoint(cluster, served).map(endpoint -> endpoint.url().toString());
    }

    @Test
    void eachIsAskedAsItsPodServes() {
        var cluster = Certified.ready(Certified.BOTH);
        assertThat(url(cluster, Client.PLAIN)).contains("http://10.0.0.1:2379");
        assertThat(url(cluster, Client.PERMISSIVE)).contains("https://10.0.0.1:2379");
        assertThat(url(cluster, Client.REQUIRED)).contains("https://10.0.0.1:2379");
    }

    @Test
    void theOperatorShowsItsOwnCertificate() {
        var cluster = Certified.ready(Certified.BOTH);
        var endpoint = endpoint(cluster, Client.REQUIRED).orElseThrow();
        assertThat(endpoint.authority()).contains("c-0.c.ns.svc");
        assertThat(endpoint.tls().orElseThrow().certificateChain())
                .isEqualTo(TlsSecrets.text(cluster.secret("c-operator-tls"), TlsSecrets.CERTIFICATE)
                        .orElseThrow());
    }

    @Test
    void withNothingToShowOnlyPlaintextIsSpoken() {
        var cluster = Certified.ready(Certified.BOTH).without("c-operator-tls");
        assertThat(url(cluster, Client.PERMISSIVE)).contains("http://10.0.0.1:2379");
        assertThat(url(cluster, Client.REQUIRED)).isEmpty();
        assertThat(url(cluster.issueAll().damage("c-operator-tls", TlsSecrets.KEY, "////"), Client.REQUIRED))
                .isEmpty();
    }

    @Test
    void onTheWayBackToPlaintextTheOldCertificateIsShown() {
        assertThat(url(Certified.ready(Certified.BOTH).asks(""), Client.REQUIRED))
                .contains("https://10.0.0.1:2379");
    }

    @Test
    void whereUsersBringCertificatesOneOfThoseIsShown() {
        var source = Certified.ready(Certified.BOTH);
        var server = source.secret("c-server-tls");
        server.getMetadata().setName("mine");
        var client = source.secret("c-client-tls");
        client.getMetadata().setName("mine-too");
        var both = new Certified("{client: {secret: {name: mine, clientName: mine-too}}}")
                .with(server)
                .with(client);
        var one = new Certified("{client: {secret: {name: mine}}}").with(server).with(client);
        assertThat(shown(both)).isEqualTo(TlsSecrets.text(client, TlsSecrets.CERTIFICATE));
        assertThat(shown(one)).isEqualTo(TlsSecrets.text(server, TlsSecrets.CERTIFICATE));
        assertThat(shown(both.without("mine-too"))).isEqualTo(TlsSecrets.text(server, TlsSecrets.CERTIFICATE));
    }

    /** Members do not trust it yet, and the operator must not be turned away while it brings them to. */
    @Test
    void whatAnotherAuthorityHasSignedIsNotShownBeforeMembersDo() {
        var source = Certified.ready(Certified.BOTH);
        var cluster = new Certified("{client: {secret: {name: mine, clientName: mine-too}}}")
                .with(named("mine", source.secret("c-server-tls")))
                .with(named("mine-too", source.secret("c-client-tls")))
                .issueAll();
        var own = TlsSecrets.text(cluster.secret("mine-too"), TlsSecrets.CERTIFICATE);
        assertThat(shown(cluster)).isEqualTo(own);
        cluster.with(named("mine-too", Certified.ready(Certified.BOTH).secret("c-client-tls")));
        assertThat(shown(cluster))
                .isEqualTo(TlsSecrets.text(cluster.secret("c-server-mounted"), TlsSecrets.CERTIFICATE));
    }

    private static Secret named(String name, Secret secret) {
        secret.getMetadata().setName(name);
        return secret;
    }

    @Test
    void whatMembersStillHaveIsShownOnceTheSpecNamesItNoMore() {
        var server = Certified.ready(Certified.BOTH).secret("c-server-tls");
        server.getMetadata().setName("mine");
        var cluster = new Certified("").with(server);
        assertThat(shown(cluster)).isEmpty();
        var setup = new TlsSetup(
                new TlsSetup.ClientSide(
                        TlsSpec.ClientTlsMode.REQUIRED,
                        new TlsSetup.SecretFiles("mine", "tls.crt", "tls.key", "ca.crt", "h")),
                null);
        var peer = Serialization.unmarshal(
                "spec: {clusterName: c, tls: %s}".formatted(Serialization.asJson(setup)), EtcdPeer.class);
        assertThat(shown(cluster.withSlot(peer))).isEqualTo(TlsSecrets.text(server, TlsSecrets.CERTIFICATE));
        assertThat(SecretNames.of(cluster.cluster().getSpec(), List.of(peer))).containsExactly("mine");
    }

    private static Optional<String> shown(Certified cluster) {
        return endpoint(cluster, Client.REQUIRED).flatMap(Endpoint::tls).map(material -> material.certificateChain());
    }
}
