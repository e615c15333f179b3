package io.improbable.etcd.manifest;

import io.improbable.etcd.api.EtcdClusterSpec;
import io.improbable.etcd.api.TlsSpec;
import io.improbable.etcd.api.TlsSpec.ClientTls;
import io.improbable.etcd.api.TlsSpec.PeerTls;
import io.improbable.etcd.api.TlsSpec.SecretCertificates;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Secrets that a cluster's spec points to. */
public final class SecretNames {
    private SecretNames() {}

    public static Set<String> of(EtcdClusterSpec spec) {
        TlsSpec tls = Objects.requireNonNullElse(spec.tls(), TlsSpec.NONE);
        return Stream.of(
                        Optional.ofNullable(tls.client()).map(ClientTls::secret),
                        Optional.ofNullable(tls.peer()).map(PeerTls::secret))
                .flatMap(Optional::stream)
                .flatMap(SecretNames::names)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<String> names(SecretCertificates secret) {
        return Stream.concat(Stream.of(secret.name()), Stream.ofNullable(secret.clientName()));
    }
}
