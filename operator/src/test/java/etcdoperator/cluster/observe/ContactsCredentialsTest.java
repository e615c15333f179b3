package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.Endpoint;
import etcdoperator.kube.ClusterObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What members are told of who asks. */
class ContactsCredentialsTest {
    private static final PeerName FIRST = PeerName.parse("c-0");

    private final ClusterView view = ScenarioView.read(
                    Serialization.unmarshal("like: settled\ncluster: {replicas: 1}", JsonNode.class))
            .view();
    private final SecretsOf secrets = new SecretsOf();

    @Test
    void whoHasNoPasswordSaysNothing() {
        assertThat(first(secrets.objects()).credentials()).isEmpty();
    }

    /** Whatever the spec says: somebody may have enabled it since. */
    @Test
    void whoHasOneIsReadyToSayIt() {
        secrets.with("c-operator-password", "own");
        assertThat(first(secrets.objects()).credentials())
                .contains(new Credentials(
                        Accounts.OPERATOR,
                        "own",
                        Optional.of(URI.create("http://c-client.ns.svc:2379")),
                        Optional.empty()));
    }

    /** By address, because names are no part of judging health. */
    @Test
    void learnersAreAskedWithATokenFromTheClientService() {
        secrets.with("c-root-password", "made");
        assertThat(door("10.96.0.7")).contains(URI.create("http://10.96.0.7:2379"));
        assertThat(door("fd00::7")).contains(URI.create("http://[fd00::7]:2379"));
        assertThat(door("None")).contains(URI.create("http://c-client.ns.svc:2379"));
    }

    private Optional<URI> door(String clusterIp) {
        HasMetadata service = new ServiceBuilder()
                .withNewMetadata()
                .withName("c-client")
                .endMetadata()
                .withNewSpec()
                .withClusterIP(clusterIp)
                .endSpec()
                .build();
        ClusterObjects bare = secrets.objects();
        return first(new ClusterObjects(
                        bare.cluster(),
                        bare.peers(),
                        bare.claims(),
                        bare.replicaSets(),
                        bare.pods(),
                        List.of(service),
                        bare.secrets(),
                        bare.backups(),
                        bare.recoveries(),
                        bare.volumeWarnings(),
                        bare.nodesUp(),
                        bare.nodeAddresses(),
                        bare.lostVolumes()))
                .credentials()
                .flatMap(Credentials::door);
    }

    private Endpoint first(ClusterObjects objects) {
        Map<PeerName, Endpoint> endpoints = new Contacts(objects).of(view.ownPeers(), view.pods());
        return Optional.ofNullable(endpoints.get(FIRST)).orElseThrow();
    }
}
