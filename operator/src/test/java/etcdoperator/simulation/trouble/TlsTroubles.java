package etcdoperator.simulation.trouble;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.ClientTls;
import etcdoperator.api.TlsSpec.ClientTlsMode;
import etcdoperator.api.TlsSpec.ManagedCertificates;
import etcdoperator.api.TlsSpec.PeerTls;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.ServerSideApply;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What users do to the TLS of a cluster, and to the Secrets it rests on. */
final class TlsTroubles {
    private final World world;
    private final Dice dice;
    private int wishes;
    private int deleted;

    TlsTroubles(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    void happen() {
        switch (dice.below(8)) {
            case 0, 1, 2 -> ask(World.ENCRYPTED);
            case 3 -> ask(Optional.empty());
            case 4 -> ask(some());
            case 5, 6 -> rotate();
            default ->
                dice.pick(world.server().list(Secret.class)).ifPresent(secret -> {
                    world.trace().note("trouble: delete " + Objects.describe(secret));
                    world.controllers().delete(secret);
                    deleted++;
                });
        }
    }

    /** Whether the authority's key may be gone together with something that only it could have signed. */
    boolean haveDeletedTooMuch() {
        return deleted > 1;
    }

    private Optional<TlsSpec> some() {
        ClientTls client = dice.pick(List.of(ClientTlsMode.values()))
                .map(mode -> new ClientTls(new ManagedCertificates(), null, null, mode))
                .orElseThrow();
        @Nullable PeerTls peer = dice.oneIn(2) ? new PeerTls(new ManagedCertificates(), null, null) : null;
        return Optional.of(new TlsSpec(client, peer, null, null));
    }

    private void ask(Optional<TlsSpec> tls) {
        world.setTls(tls);
        world.cluster().ifPresent(cluster -> {
            world.trace().note("trouble: TLS " + tls);
            change(cluster, tls.orElse(null));
        });
    }

    private void change(EtcdCluster cluster, @Nullable TlsSpec tls) {
        world.server().change(cluster, changed -> {
            changed.setSpec(changed.getSpec().withTls(tls));
            changed.getMetadata().setGeneration(cluster.getMetadata().getGeneration() + 1);
            return changed;
        });
    }

    private void rotate() {
        world.cluster().ifPresent(cluster -> {
            String wish = "wish-" + ++wishes;
            world.trace().note("trouble: another authority, " + wish);
            world.server().change(cluster, changed -> {
                changed.getMetadata()
                        .setAnnotations(ServerSideApply.merged(
                                changed.getMetadata().getAnnotations(), Map.of(TlsSecrets.ROTATE, wish)));
                return changed;
            });
        });
    }
}
