package etcdoperator.cluster.observe;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.RecoverySpec;
import etcdoperator.cluster.view.ClusterView.RecoveryWish;
import etcdoperator.cluster.view.ClusterView.Wish;
import etcdoperator.cluster.view.TlsView;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Peers;
import etcdoperator.manifest.flags.EtcdFlags;
import java.util.Optional;

/** What an EtcdCluster asks for. */
public final class WishReader {
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

    public static RecoveryWish recovery(EtcdClusterSpec spec, Optional<String> choice) {
        RecoverySpec recovery = spec.recoveryOrDefault();
        return new RecoveryWish(
                recovery.recoversByItself(), recovery.quorumLossGraceOrDefault(), choice, spec.backup() != null);
    }

    public static boolean backsUpFirst(EtcdClusterSpec spec) {
        return spec.backup() != null && !Boolean.FALSE.equals(spec.backup().beforeUpgrade());
    }

    public static Optional<String> mistake(EtcdClusterSpec spec) {
        return EtcdFlags.problem(spec.etcdOrDefault(), EtcdVersion.parse(spec.version()))
                .or(() -> MaintenanceReader.mistake(spec));
    }
}
