package io.improbable.etcd.cluster;

import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdClusterSpec;
import io.improbable.etcd.api.RecoverySpec;
import io.improbable.etcd.cluster.ClusterView.RecoveryWish;
import io.improbable.etcd.cluster.ClusterView.Wish;
import io.improbable.etcd.domain.EtcdVersion;
import io.improbable.etcd.manifest.Labels;
import io.improbable.etcd.manifest.Peers;
import io.improbable.etcd.manifest.flags.EtcdFlags;
import java.util.Optional;

/** What an EtcdCluster asks for. */
final class WishReader {
    private WishReader() {}

    static Wish read(EtcdCluster cluster, TlsView tls) {
        return new Wish(
                Labels.keyOf(cluster),
                cluster.getMetadata().getUid(),
                cluster.getSpec().replicas(),
                EtcdVersion.parse(cluster.getSpec().version()),
                new Peers(cluster, tls.target()).settings(),
                cluster.getSpec().recoveryOrDefault().memberTimeoutOrDefault(),
                recovery(cluster.getSpec(), Labels.said(cluster, Labels.RECOVER)),
                MaintenanceReader.ofOrNever(cluster.getSpec()),
                backsUpFirst(cluster.getSpec()),
                mistake(cluster.getSpec()),
                Boolean.TRUE.equals(cluster.getSpec().paused()),
                Labels.said(cluster, Labels.RESTORING).map(restore -> restore.split("/", 2)[0]),
                Labels.said(cluster, Labels.CLAIM_SEED));
    }

    static RecoveryWish recovery(EtcdClusterSpec spec, Optional<String> choice) {
        RecoverySpec recovery = spec.recoveryOrDefault();
        return new RecoveryWish(
                recovery.recoversByItself(), recovery.quorumLossGraceOrDefault(), choice, spec.backup() != null);
    }

    static boolean backsUpFirst(EtcdClusterSpec spec) {
        return spec.backup() != null && !Boolean.FALSE.equals(spec.backup().beforeUpgrade());
    }

    static Optional<String> mistake(EtcdClusterSpec spec) {
        return EtcdFlags.problem(spec.etcdOrDefault(), EtcdVersion.parse(spec.version()))
                .or(() -> MaintenanceReader.mistake(spec));
    }
}
