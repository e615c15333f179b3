package etcdoperator.cluster.tls;

import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSetup.ClientSide;
import etcdoperator.api.TlsSetup.PeerSide;
import etcdoperator.api.TlsSetup.PeerStage;
import etcdoperator.cluster.view.Chores.Issuers;
import etcdoperator.cluster.view.Chores.Sight;
import etcdoperator.cluster.view.PeerView;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether members show what they are to show, as far as they were seen. */
public record Showing(Sight sight, Collection<PeerView> peers) {
    private static final Issuers UNSEEN = new Issuers(Optional.empty(), Optional.empty());

    /** Whether whatever is shown out of this Secret is signed by this key, by all members and on each side. */
    public boolean show(String secret, Optional<String> signer) {
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
