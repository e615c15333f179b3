package io.improbable.etcd.cluster;

import io.improbable.etcd.api.TlsSetup;
import io.improbable.etcd.api.TlsSetup.ClientSide;
import io.improbable.etcd.api.TlsSetup.PeerSide;
import io.improbable.etcd.api.TlsSetup.PeerStage;
import io.improbable.etcd.cluster.Chores.Issuers;
import io.improbable.etcd.cluster.Chores.Sight;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether members show what they are to show, as far as they were seen. */
record Showing(Sight sight, Collection<PeerView> peers) {
    private static final Issuers UNSEEN = new Issuers(Optional.empty(), Optional.empty());

    /** Whether whatever is shown out of this Secret is signed by this key, by all members and on each side. */
    boolean show(String secret, Optional<String> signer) {
        return signer.isPresent() && peers.stream().allMatch(peer -> shows(peer, secret, signer));
    }

    private boolean shows(PeerView peer, String secret, Optional<String> signer) {
        Issuers seen = sight.issuers().getOrDefault(peer.name(), UNSEEN);
        TlsSetup tls = peer.setup().tls();
        return (!isShownToClients(secret, tls.client()) || seen.toClients().equals(signer))
                && (!isShownToMembers(secret, tls.peer()) || seen.toMembers().equals(signer));
    }

    private static boolean isShownToClients(String secret, @Nullable ClientSide side) {
        return side != null && side.files().name().equals(secret);
    }

    /** Who is only prepared is reached without TLS, and shows nothing. */
    private static boolean isShownToMembers(String secret, @Nullable PeerSide side) {
        return side != null
                && side.stage() == PeerStage.REQUIRED
                && side.files().name().equals(secret);
    }
}
