package etcdoperator.simulation.etcd;

import etcdoperator.domain.Scheme;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.TlsMaterial;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Who reaches whom. Members look for each other where they are listed, and TLS believes only whom it trusts. */
public final class FakeNetwork {
    private final BiPredicate<EtcdProcess, EtcdProcess> wires;

    /** @param wires whether anything gets from one to the other at all */
    public FakeNetwork(BiPredicate<EtcdProcess, EtcdProcess> wires) {
        this.wires = wires;
    }

    public boolean isWired(EtcdProcess one, EtcdProcess other) {
        return one == other || wires.test(one, other);
    }

    /** Connections that were made live on, whatever is listed or trusted by now. */
    public boolean reach(EtcdProcess one, EtcdProcess other) {
        if (!wires.test(one, other)) {
            one.disconnect(other);
            return false;
        }
        if (one.isConnectedTo(other)) {
            return true;
        }
        boolean meet = meet(one, other);
        if (meet) {
            one.connect(other);
        }
        return meet;
    }

    /**
     * etcd gets along on connections that one side alone has made. That has to do between a listing and the restart
     * that belongs to it; else both must be able to.
     */
    private static boolean meet(EtcdProcess one, EtcdProcess other) {
        boolean there = dials(one, other);
        boolean back = dials(other, one);
        return (there || isMisplaced(other, one)) && (back || isMisplaced(one, other)) && (there || back);
    }

    private static boolean dials(EtcdProcess from, EtcdProcess to) {
        Scheme served = Scheme.of(to.flags().peerUrl());
        if (listed(from, to) != served) {
            return false;
        }
        return served == Scheme.HTTP
                || from.tls()
                        .peer()
                        .flatMap(mine -> to.tls().peer().map(theirs -> mine.believes(theirs) && theirs.believes(mine)))
                        .orElse(false);
    }

    /** Whether it is looked for by another scheme than it serves. */
    private static boolean isMisplaced(EtcdProcess process, EtcdProcess seenBy) {
        return listed(seenBy, process) != Scheme.of(process.flags().peerUrl());
    }

    /** As the one knows the other, or as he was told for his first start. */
    private static Scheme listed(EtcdProcess by, EtcdProcess process) {
        Optional<String> url = by.volume()
                .data()
                .flatMap(data -> process.volume().data().flatMap(of -> data.member(of.self())))
                .map(ListedMember::peerUrls)
                .map(urls -> urls.getFirst());
        return Scheme.of(url.orElse(process.flags().peerUrl()));
    }

    /** Whether whoever asks at this endpoint is answered. */
    public static boolean serves(EtcdProcess process, Endpoint endpoint) {
        if (!process.flags().clientUrl().contains(endpoint.url().getScheme() + "://")) {
            return false;
        }
        return endpoint.tls()
                .map(material -> process.tls()
                        .client()
                        .filter(files -> serves(files, material))
                        .isPresent())
                .orElse(true);
    }

    private static boolean serves(PodTls.Files files, TlsMaterial caller) {
        return Certificates.trusted(caller.trustedCertificates())
                        .contains(files.issuer().get())
                && files.trusted().contains(Certificates.issuer(caller.certificateChain()));
    }
}
