package etcdoperator.cluster.observe;

import etcdoperator.cluster.auth.Passwords;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.domain.Transport;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.TlsMaterial;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.Service;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Where the operator asks members, and what it shows them. */
public final class Contacts {
    private final ClusterKey key;
    private final Optional<TlsMaterial> tls;
    private final Passwords passwords;
    private final Optional<String> serviceAddress;

    public Contacts(ClusterObjects objects) {
        this.key = Labels.keyOf(objects.cluster());
        this.tls = ClientFiles.of(objects).map(ClientFiles::material);
        this.passwords = new Passwords(objects);
        this.serviceAddress = serviceAddress(objects, key);
    }

    /** Who can be asked now. One that wants TLS is not asked while there is nothing to show to it. */
    public Map<PeerName, Endpoint> of(List<PeerView> peers, List<PodView> pods) {
        Map<PeerName, Endpoint> endpoints = new HashMap<>();
        for (PeerView peer : peers) {
            pods.stream()
                    .filter(pod -> pod.runs(peer))
                    .flatMap(pod -> endpoint(pod).stream())
                    .findFirst()
                    .map(this::withCredentials)
                    .ifPresent(endpoint -> endpoints.put(peer.name(), endpoint));
        }
        return endpoints;
    }

    private Optional<Endpoint> endpoint(PodView pod) {
        Transport.Client served = pod.transport().client();
        return pod.address().flatMap(address -> {
            if (served.best() == Scheme.HTTPS && tls.isPresent()) {
                return Optional.of(Endpoint.secure(
                        address, Addresses.CLIENT_PORT, Addresses.memberHost(key, pod.claimName()), tls.get()));
            }
            return served.schemes().contains(Scheme.HTTP)
                    ? Optional.of(Endpoint.plain(address, Addresses.CLIENT_PORT))
                    : Optional.empty();
        });
    }

    private Endpoint withCredentials(Endpoint endpoint) {
        return passwords.credentials(door(endpoint)).map(endpoint::with).orElse(endpoint);
    }

    /** The client service leads to members that are ready, so never to a learner. Its address does not change. */
    private URI door(Endpoint endpoint) {
        Scheme scheme = Scheme.of(endpoint.url().toString());
        return URI.create(serviceAddress
                .map(address -> Addresses.clientUrl(scheme, address))
                .orElseGet(() -> Addresses.clientServiceUrl(scheme, key)));
    }

    private static Optional<String> serviceAddress(ClusterObjects objects, ClusterKey key) {
        return objects.support().stream()
                .filter(object -> object.getMetadata().getName().equals(Addresses.clientService(key)))
                .flatMap(object -> object instanceof Service service ? Stream.of(service) : Stream.<Service>empty())
                .map(service -> service.getSpec().getClusterIP())
                .filter(address -> address != null && !address.equals("None") && !address.isEmpty())
                .map(address -> address.contains(":") ? "[" + address + "]" : address)
                .findFirst();
    }
}
