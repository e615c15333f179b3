package etcdoperator.e2e;

import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.ClientTls;
import etcdoperator.api.TlsSpec.ManagedCertificates;
import etcdoperator.api.TlsSpec.ManagedLifetimes;
import etcdoperator.api.TlsSpec.PeerTls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** TLS on both sides, with certificates that the operator makes. */
final class ManagedTls {
    static final TlsSpec USUAL = of(List.of(), null);

    private ManagedTls() {}

    static TlsSpec of(List<String> extraSans, @Nullable ManagedLifetimes lifetimes) {
        var made = new ManagedCertificates();
        return new TlsSpec(new ClientTls(made, null, null, null), new PeerTls(made, null, null), extraSans, lifetimes);
    }
}
