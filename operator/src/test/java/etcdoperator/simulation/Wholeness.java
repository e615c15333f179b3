package etcdoperator.simulation;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSpec;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.Transport;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Peers;
import etcdoperator.manifest.Transports;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.trouble.DiskTroubles;
import etcdoperator.simulation.trouble.Troubles;
import etcdoperator.simulation.world.SaidStatus;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Whether a cluster is all that was asked for, and nothing besides. */
final class Wholeness {
    private final World world;
    private final Rules rules;
    private final Troubles troubles;

    Wholeness(World world, Rules rules, Troubles troubles) {
        this.world = world;
        this.rules = rules;
        this.troubles = troubles;
    }

    void check(EtcdCluster cluster, SaidStatus status) {
        if ("VersionRefused".equals(status.reason("Progressing"))) {
            world.trace().note("a person has to choose another version");
            return;
        }
        if (isToldOf(status)) {
            world.trace().note("the next authority is waited for");
            return;
        }
        if (needsAPersonForCertificates(cluster, status)) {
            world.trace().note("a person has to see to the certificates");
            return;
        }
        boolean settled = "Settled".equals(status.reason("Progressing"));
        world.claims().stream()
                .filter(DiskTroubles::mayBePruned)
                .forEach(claim -> fail(Objects.describe(claim) + " may be pruned by Argo CD"));
        int wanted = cluster.getSpec().replicas();
        if (!settled
                || status.status().readyReplicas() != wanted
                || status.status().operation() != null) {
            fail("not whole, though nothing stands in its way:" + status);
        }
        List<EtcdPeer> peers = world.server().list(EtcdPeer.class);
        if (wanted == 0) {
            peers.stream()
                    .filter(peer -> !peer.getSpec().standsStill())
                    .forEach(peer -> fail(Objects.describe(peer) + " is awake in a cluster that sleeps"));
            return;
        }
        if (peers.size() != wanted) {
            fail(peers.size() + " peers, and " + wanted + " were asked for");
        }
        membersAreThePeers(wanted);
        everyPodIsAsAskedFor(cluster);
        if (world.nodes().areAllUp()) {
            nothingIsLeftOver(peers);
        }
    }

    private void everyPodIsAsAskedFor(EtcdCluster cluster) {
        TlsSetup tls = world.server().list(EtcdPeer.class).getFirst().getSpec().tlsOrNone();
        if (!Transports.of(tls).equals(wanted(cluster.getSpec().tls()))) {
            fail("peers speak as %s, and %s was asked for"
                    .formatted(Transports.of(tls), wanted(cluster.getSpec().tls())));
        }
        String settings = new Peers(cluster, tls).settings();
        world.server().list(Pod.class).stream()
                .filter(pod -> world.nodes().isUp(pod.getSpec().getNodeName()) && !Objects.isAgent(pod))
                .filter(pod ->
                        !settings.equals(pod.getMetadata().getAnnotations().get(Labels.SETTINGS)))
                .forEach(pod -> fail(Objects.describe(pod) + " was made with other settings"));
    }

    private boolean isToldOf(SaidStatus status) {
        return "CertificatesMissing".equals(status.reason("Degraded"));
    }

    /** What is lost cannot be signed again, and who is reached by TLS does not start without. */
    private boolean needsAPersonForCertificates(EtcdCluster cluster, SaidStatus status) {
        TlsSpec tls = cluster.getSpec().tls();
        return status.isOf("CertificatesInvalid")
                && (troubles.haveDeletedTooManySecrets() || tls == null || tls.peer() == null);
    }

    private static Transport wanted(@Nullable TlsSpec tls) {
        if (tls == null) {
            return Transport.PLAIN;
        }
        Transport.Client client = tls.client() == null
                ? Transport.Client.PLAIN
                : Transport.Client.valueOf(tls.client().mode().name());
        return new Transport(client, tls.peer() == null ? Transport.Between.PLAIN : Transport.Between.REQUIRED);
    }

    private void membersAreThePeers(int wanted) {
        MemberData data = world.leaders().findFirst().orElseThrow().data();
        long healthy = world.leaders()
                .flatMap(leader -> world.etcd().group(leader).stream())
                .filter(process ->
                        process.isReady() && data.isVoter(process.data().self()))
                .distinct()
                .count();
        if (data.members().size() != wanted || data.voters().size() != wanted || healthy != wanted) {
            fail("%d healthy voters of %s, and %d were asked for".formatted(healthy, data.members(), wanted));
        }
    }

    private void nothingIsLeftOver(List<EtcdPeer> peers) {
        Set<String> used =
                peers.stream().map(peer -> peer.getSpec().claimName()).collect(Collectors.toSet());
        world.claims().stream()
                .filter(claim -> !used.contains(claim.getMetadata().getName()) || Objects.isDeleting(claim))
                .filter(claim -> !isOfSomebodyRemovedByHand(claim))
                .forEach(claim -> fail(Objects.describe(claim) + " is left over"));
        world.claims().stream()
                .filter(claim -> !claim.getMetadata()
                        .getAnnotations()
                        .getOrDefault(Labels.RETIRED, "")
                        .isEmpty())
                .forEach(claim -> fail(Objects.describe(claim) + " is retired and in use"));
        List<Pod> pods = world.server().list(Pod.class).stream()
                .filter(pod -> !Objects.isAgent(pod))
                .toList();
        if (pods.size() != peers.size()) {
            fail(pods.size() + " pods for " + peers.size() + " peers");
        }
    }

    /** The operator did not retire it, so that it is not the operator's to delete. */
    private boolean isOfSomebodyRemovedByHand(PersistentVolumeClaim claim) {
        return Optional.ofNullable(claim.getMetadata().getAnnotations().get(Labels.MEMBER_ID))
                .map(MemberId::parse)
                .filter(troubles::haveRemoved)
                .isPresent();
    }

    private void fail(String how) {
        rules.broken(Invariant.IT_SETTLES, how);
    }
}
