package io.improbable.etcd.cluster;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.improbable.etcd.api.TlsSpec;
import io.improbable.etcd.api.TlsSpec.ClientTls;
import io.improbable.etcd.domain.ClusterKey;
import io.improbable.etcd.domain.PeerName;
import io.improbable.etcd.domain.Scheme;
import io.improbable.etcd.domain.Transport;
import io.improbable.etcd.etcd.Endpoint;
import io.improbable.etcd.etcd.TlsMaterial;
import io.improbable.etcd.kube.ClusterObjects;
import io.improbable.etcd.manifest.Addresses;
import io.improbable.etcd.manifest.Labels;
import io.improbable.etcd.manifest.TlsSecrets;
import io.improbable.etcd.tls.CertificateView;
import io.improbable.etcd.tls.PemPair;
import io.improbable.etcd.tls.SecretKeys;
import io.improbable.etcd.tls.SecretKeys.Side;
import io.improbable.etcd.tls.TrustBundle;
import io.improbable.etcd.tls.UnreadableException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Where the operator asks members, and what it shows them. */
final class Contacts {
    private final ClusterKey key;
    private final Optional<TlsMaterial> tls;
    private final Passwords passwords;
    private final Optional<String> serviceAddress;

    Contacts(ClusterObjects objects) {
        this.key = Labels.keyOf(objects.cluster());
        this.tls = material(objects, key);
        this.passwords = new Passwords(objects);
        this.serviceAddress = serviceAddress(objects, key);
    }

    /** Who can be asked now. One that wants TLS is not asked while there is nothing to show to it. */
    Map<PeerName, Endpoint> of(List<PeerView> peers, List<PodView> pods) {
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

    /** As the spec has it, or else as members on their way back to plaintext still have it. */
    private static Optional<TlsMaterial> material(ClusterObjects objects, ClusterKey key) {
        TlsSpec spec = Objects.requireNonNullElse(objects.cluster().getSpec().tls(), TlsSpec.NONE);
        Optional<Source> others = Source.toClients(spec, key);
        if (others.isEmpty()) {
            return read(objects, TlsSecrets.operator(key), Side.CLIENT).or(() -> left(objects));
        }
        Optional<TlsMaterial> own = read(objects, nameOfOwn(spec, key), Side.CLIENT);
        Optional<TlsMaterial> mounted = read(objects, others.get().mounted(), Side.SERVER);
        return mounted.map(shown -> own.filter(one -> isOfTheSame(one, shown))
                        .map(one ->
                                new TlsMaterial(shown.trustedCertificates(), one.certificateChain(), one.privateKey()))
                        .orElse(shown))
                .or(() -> own)
                .or(() -> read(objects, others.get().secret(), Side.SERVER));
    }

    private static String nameOfOwn(TlsSpec spec, ClusterKey key) {
        return Optional.ofNullable(spec.client())
                .map(ClientTls::secret)
                .map(TlsSpec.SecretCertificates::clientName)
                .orElse(TlsSecrets.operator(key));
    }

    /** Members trust whoever signed what they show; another one that signs for clients by now, perhaps not yet. */
    private static boolean isOfTheSame(TlsMaterial one, TlsMaterial shown) {
        Optional<String> signer = CertificateView.of(one.certificateChain()).issuerKeyId();
        return signer.isPresent()
                && signer.equals(CertificateView.of(shown.certificateChain()).issuerKeyId());
    }

    private static Optional<TlsMaterial> left(ClusterObjects objects) {
        return objects.peers().stream()
                .flatMap(peer -> Stream.ofNullable(peer.getSpec().tlsOrNone().client()))
                .flatMap(side -> read(objects, side.files().name(), Side.SERVER).stream())
                .findFirst();
    }

    private static Optional<TlsMaterial> read(ClusterObjects objects, String name, Side side) {
        return Scene.find(objects.secrets(), name).flatMap(secret -> read(secret, side));
    }

    private static Optional<TlsMaterial> read(Secret secret, Side side) {
        Set<String> keys =
                Optional.ofNullable(secret.getData()).map(Map::keySet).orElse(Set.of());
        if (!(SecretKeys.of(keys, side) instanceof SecretKeys.Found found)) {
            return Optional.empty();
        }
        try {
            PemPair pair = new PemPair(text(secret, found.certificate()), text(secret, found.key())).forJava();
            String trusted = TrustBundle.of(text(secret, found.trust())).text();
            return Optional.of(new TlsMaterial(trusted, pair.certificates(), pair.key()));
        } catch (UnreadableException e) {
            return Optional.empty();
        }
    }

    private static String text(Secret secret, String key) {
        return TlsSecrets.text(secret, key).orElse("");
    }
}
