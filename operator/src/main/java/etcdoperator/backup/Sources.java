package etcdoperator.backup;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.MemberRole;
import etcdoperator.api.MemberStatus;
import etcdoperator.backup.BackupView.Readiness;
import etcdoperator.cluster.observe.ClientFiles;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.Scheme;
import etcdoperator.domain.Transport;
import etcdoperator.kube.BackupCache.BackupObjects;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.AgentKit;
import etcdoperator.manifest.AgentMount;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.PasswordSecrets;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.manifest.Transports;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Where an agent takes a snapshot from, and what it needs to be let in. Pure. */
final class Sources {
    private static final String TLS = "tls";
    private static final String LOGIN = "login";

    private final BackupObjects objects;
    private final Optional<ClientFiles> files;

    Sources(BackupObjects objects) {
        this.objects = objects;
        this.files = objects.cluster().flatMap(ClientFiles::of);
    }

    Readiness readiness() {
        return clusterMissing()
                .or(this::secretMissing)
                .or(this::nobodyRuns)
                .or(this::keyMissing)
                .orElseGet(Readiness.Ready::new);
    }

    /** Which Secrets and claims the agent mounts to ask, and the flags that say so. */
    AgentKit kit() {
        AgentKit endpoints = AgentKit.ofFlags("--endpoints=" + String.join(",", endpoints()));
        String tlsSecret = objects.backup().getSpec().source().tlsSecret();
        if (tlsSecret != null) {
            AgentMount mount = AgentMount.secret(TLS, tlsSecret);
            return endpoints.and(mount.with("--tls-dir=" + mount.folder()));
        }
        AgentKit tls = needsTls() ? files.map(Sources::mounted).orElse(AgentKit.EMPTY) : AgentKit.EMPTY;
        return endpoints.and(tls).and(passwordSecret().map(Sources::login).orElse(AgentKit.EMPTY));
    }

    private Optional<Readiness> clusterMissing() {
        return Optional.ofNullable(objects.backup().getSpec().source().cluster())
                .filter(name -> objects.cluster().isEmpty())
                .flatMap(name -> notYet(
                        "ClusterMissing", "EtcdCluster %s is not there; create it, or delete this backup", name));
    }

    /** One that serves TLS only runs, too, even if there is nothing to show to it yet. */
    private Optional<Readiness> nobodyRuns() {
        return cluster()
                .filter(cluster -> endpoints().isEmpty() && !needsTls())
                .map(cluster ->
                        new Readiness.NobodyRuns("No member of EtcdCluster %s runs that could be asked for a snapshot"
                                .formatted(cluster.getMetadata().getName())));
    }

    private Optional<Readiness> keyMissing() {
        return cluster().flatMap(cluster -> {
            String name = cluster.getMetadata().getName();
            if (endpoints().isEmpty()) {
                return notYet(
                        "CertificateMissing", "The certificate for clients of EtcdCluster %s is not there yet", name);
            }
            boolean locked = Optional.ofNullable(cluster.getSpec().auth())
                    .filter(auth -> auth.isEnabled())
                    .isPresent();
            return locked && passwordSecret().isEmpty()
                    ? notYet("PasswordMissing", "The operator's own password for EtcdCluster %s is not there yet", name)
                    : Optional.empty();
        });
    }

    private Optional<EtcdCluster> cluster() {
        return objects.cluster().map(ClusterObjects::cluster);
    }

    private Optional<Readiness> secretMissing() {
        return new AgentErrands(objects)
                .secrets().stream()
                        .filter(name -> objects.secrets().stream()
                                .noneMatch(
                                        secret -> secret.getMetadata().getName().equals(name)))
                        .findFirst()
                        .flatMap(name ->
                                notYet("SecretMissing", "Secret %s, which spec names, is not there; create it", name));
    }

    private static Optional<Readiness> notYet(String reason, String why, String name) {
        return Optional.of(new Readiness.NotYet(reason, why.formatted(name)));
    }

    /** Followers first: the leader has enough to do. Last those who may not be able to answer at all. */
    List<String> endpoints() {
        List<String> given = objects.backup().getSpec().source().endpoints();
        return objects.cluster()
                .map(cluster -> cluster.peers().stream()
                        .sorted(Comparator.<EtcdPeer>comparingInt(peer -> rank(peer, cluster))
                                .thenComparing(peer -> peer.getMetadata().getName()))
                        .flatMap(peer -> url(peer, cluster).stream())
                        .toList())
                .orElse(given);
    }

    private static int rank(EtcdPeer peer, ClusterObjects cluster) {
        EtcdClusterStatus status = Objects.requireNonNullElse(cluster.cluster().getStatus(), EtcdClusterStatus.EMPTY);
        return status.members().stream()
                .filter(member -> peer.getMetadata().getName().equals(member.name()))
                .map(Sources::rank)
                .findFirst()
                .orElse(3);
    }

    private static int rank(MemberStatus member) {
        if (member.role() == MemberRole.LEARNER) {
            return 4;
        }
        if (!Boolean.TRUE.equals(member.healthy())) {
            return 2;
        }
        return member.role() == MemberRole.LEADER ? 1 : 0;
    }

    private Optional<String> url(EtcdPeer peer, ClusterObjects cluster) {
        ClusterKey key = Labels.keyOf(cluster.cluster());
        return transport(peer, cluster)
                .flatMap(transport -> scheme(transport.client())
                        .map(scheme -> Addresses.clientUrl(
                                scheme, Addresses.memberHost(key, peer.getSpec().claimName()))));
    }

    /** One that serves TLS only cannot be asked while there is nothing to show to it. */
    private Optional<Scheme> scheme(Transport.Client served) {
        if (served.best() == Scheme.HTTPS && files.isPresent()) {
            return Optional.of(Scheme.HTTPS);
        }
        return served.schemes().contains(Scheme.HTTP) ? Optional.of(Scheme.HTTP) : Optional.empty();
    }

    /** As its pod has it, which may be behind its peer; none without a pod. */
    private static Optional<Transport> transport(EtcdPeer peer, ClusterObjects cluster) {
        return cluster.pods().stream()
                .filter(pod -> runs(pod, peer))
                .findFirst()
                .map(pod -> Transports.of(
                        Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of()),
                        Transports.of(peer.getSpec().tlsOrNone())));
    }

    private static boolean runs(Pod pod, EtcdPeer peer) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && peer.getMetadata()
                        .getName()
                        .equals(pod.getMetadata().getLabels().get(Labels.PEER))
                && pod.getStatus() != null
                && "Running".equals(pod.getStatus().getPhase());
    }

    private boolean needsTls() {
        return objects.cluster().stream()
                .flatMap(cluster -> cluster.peers().stream().flatMap(peer -> transport(peer, cluster).stream()))
                .anyMatch(transport -> transport.client().best() == Scheme.HTTPS);
    }

    /** The operator's own user: root's password may be changed by people at any time. */
    private Optional<String> passwordSecret() {
        return objects.cluster().flatMap(cluster -> {
            String name = PasswordSecrets.operator(Labels.keyOf(cluster.cluster()));
            return cluster.secrets().stream()
                    .filter(secret -> secret.getMetadata().getName().equals(name))
                    .filter(secret -> TlsSecrets.text(secret, PasswordSecrets.PASSWORD)
                            .filter(text -> !text.isEmpty())
                            .isPresent())
                    .findFirst()
                    .map(secret -> name);
        });
    }

    private static AgentKit login(String secret) {
        AgentMount mount = AgentMount.secret(LOGIN, secret);
        return mount.with("--root-dir=" + mount.folder());
    }

    private static AgentKit mounted(ClientFiles files) {
        List<KeyToPath> pair = List.of(
                new KeyToPath(files.pairKeys().certificate(), null, TlsSecrets.CERTIFICATE),
                new KeyToPath(files.pairKeys().key(), null, TlsSecrets.KEY));
        List<KeyToPath> trust = List.of(new KeyToPath(files.trustKeys().trust(), null, TlsSecrets.TRUSTED));
        AgentMount mount = files.pair().equals(files.trust())
                ? AgentMount.secret(
                        TLS,
                        files.pair(),
                        Stream.concat(pair.stream(), trust.stream()).toArray(KeyToPath[]::new))
                : AgentMount.secrets(TLS, files.pair(), pair, files.trust(), trust);
        return mount.with("--tls-dir=" + mount.folder());
    }
}
