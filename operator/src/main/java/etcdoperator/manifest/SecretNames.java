package etcdoperator.manifest;

import etcdoperator.api.AuthSpec;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.TlsSetup.ClientSide;
import etcdoperator.api.TlsSetup.PeerSide;
import etcdoperator.api.TlsSetup.SecretFiles;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.ClientTls;
import etcdoperator.api.TlsSpec.PeerTls;
import etcdoperator.api.TlsSpec.SecretCertificates;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Secrets that a cluster's spec points to. */
public final class SecretNames {
    private SecretNames() {}

    /** With those that members still need on their way from them. */
    public static Set<String> of(EtcdClusterSpec spec, Collection<EtcdPeer> peers) {
        Stream<String> needed = peers.stream()
                .map(peer -> peer.getSpec().tlsOrNone())
                .flatMap(tls -> Stream.concat(
                        Stream.ofNullable(tls.client()).map(ClientSide::files),
                        Stream.ofNullable(tls.peer()).map(PeerSide::files)))
                .map(SecretFiles::name);
        return Stream.concat(of(spec).stream(), needed).collect(Collectors.toUnmodifiableSet());
    }

    public static Set<String> of(EtcdClusterSpec spec) {
        TlsSpec tls = Objects.requireNonNullElse(spec.tls(), TlsSpec.NONE);
        Stream<String> certificates = Stream.of(
                        Optional.ofNullable(tls.client()).map(ClientTls::secret),
                        Optional.ofNullable(tls.peer()).map(PeerTls::secret))
                .flatMap(Optional::stream)
                .flatMap(SecretNames::names);
        Stream<String> passwords = Optional.ofNullable(spec.auth()).stream().flatMap(SecretNames::names);
        return Stream.concat(certificates, passwords).collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<String> names(SecretCertificates secret) {
        return Stream.concat(Stream.of(secret.name()), Stream.ofNullable(secret.clientName()));
    }

    private static Stream<String> names(AuthSpec auth) {
        return Stream.concat(
                        Optional.ofNullable(auth.rootSecret()).stream(),
                        auth.users().stream().flatMap(user -> Optional.ofNullable(user.passwordSecret()).stream()))
                .flatMap(secret -> Optional.ofNullable(secret.getName()).stream());
    }
}
