package io.improbable.etcd.cluster;

import io.improbable.etcd.api.TlsSetup;
import io.improbable.etcd.api.TlsSetup.ClientSide;
import io.improbable.etcd.api.TlsSetup.PeerSide;
import io.improbable.etcd.api.TlsSetup.PeerStage;
import io.improbable.etcd.cluster.Chores.Issuers;
import io.improbable.etcd.cluster.Chores.Sight;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether members show what an authority of the operator's has signed. It is asked only of the sides whose certificates
 * the operator makes: what others have made is never signed by it.
 */
final class Showing {
    private static final Issuers UNSEEN = new Issuers(Optional.empty(), Optional.empty());

    private final Set<String> made;
    private final Sight sight;

    Showing(List<Issuance.Leaf> made, Sight sight) {
        this.made = made.stream().map(Issuance.Leaf::secret).collect(Collectors.toSet());
        this.sight = sight;
    }

    boolean isSignedBy(AuthorityView authority, Collection<PeerView> peers) {
        Optional<String> signer = authority.signs().keyId();
        return signer.isPresent() && peers.stream().allMatch(peer -> isSignedBy(signer, peer));
    }

    private boolean isSignedBy(Optional<String> signer, PeerView peer) {
        Issuers seen = sight.issuers().getOrDefault(peer.name(), UNSEEN);
        TlsSetup tls = peer.setup().tls();
        return (!showsOursToClients(tls.client()) || seen.toClients().equals(signer))
                && (!showsOursToMembers(tls.peer()) || seen.toMembers().equals(signer));
    }

    private boolean showsOursToClients(@Nullable ClientSide side) {
        return side != null && made.contains(side.files().name());
    }

    /** Who is only prepared is reached without TLS, and shows nothing. */
    private boolean showsOursToMembers(@Nullable PeerSide side) {
        return side != null
                && side.stage() == PeerStage.REQUIRED
                && made.contains(side.files().name());
    }
}
