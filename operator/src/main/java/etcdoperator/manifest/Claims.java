package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.StorageSpec;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Promotion;
import etcdoperator.domain.Scheme;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeResourceRequirements;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The claims that hold members' data. Nobody owns them: data outlives the cluster. */
public final class Claims {
    private Claims() {}

    /** A claim for a founder. It says which bootstrap it was made for from the first moment of its life. */
    public static PersistentVolumeClaim forBootstrap(
            EtcdCluster cluster, PeerName peer, String token, int size, Scheme scheme) {
        return claim(
                cluster,
                peer,
                peer.toString(),
                and(
                        listed(scheme),
                        Map.of(
                                Labels.BOOTSTRAP_TOKEN,
                                token,
                                Labels.BOOTSTRAP_SIZE,
                                Integer.toString(size),
                                Labels.VERSION,
                                cluster.getSpec().version())));
    }

    /** A claim for a member that is about to be added. @param promotion requested where it is added as a voter */
    public static PersistentVolumeClaim forJoining(
            EtcdCluster cluster, PeerName peer, String name, Scheme scheme, Promotion promotion) {
        return claim(
                cluster, peer, name, and(listed(scheme), and(Map.of(Labels.JOINING, "true"), promoted(promotion))));
    }

    /**
     * A claim that a restore fills. It belongs to the restore and carries no cluster's name until it is full, so that
     * nobody takes it for a member's; what its member will be called by, and run, is settled with it.
     */
    public static PersistentVolumeClaim forRestore(
            EtcdRestore restore, String name, StorageSpec storage, EtcdVersion version, Scheme scheme) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(restore.getMetadata().getNamespace())
                .withName(name)
                .withLabels(Labels.ofFilledClaim(restore.getMetadata().getName()))
                .withAnnotations(and(
                        listed(scheme),
                        Map.of(Labels.RESTORED_BY, restore.getMetadata().getUid(), Labels.VERSION, version.toString())))
                .addToAnnotations(ArgoCd.leftAlone())
                .withOwnerReferences(Owned.by(restore))
                .endMetadata()
                .withSpec(withAccessModes(storage.volumeClaimTemplate()))
                .build();
    }

    private static PersistentVolumeClaim claim(
            EtcdCluster cluster, PeerName peer, String name, Map<String, String> annotations) {
        var key = Labels.keyOf(cluster);
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(name)
                .withLabels(Labels.ofClaim(key, peer))
                .withAnnotations(annotations)
                .addToAnnotations(ArgoCd.leftAlone())
                .endMetadata()
                .withSpec(withAccessModes(cluster.getSpec().storage().volumeClaimTemplate()))
                .build();
    }

    /** What a claim carries of how etcd lists its member; nothing for plaintext, which was there first. */
    private static Map<String, String> listed(Scheme scheme) {
        return scheme == Scheme.HTTP ? Map.of() : relisted(scheme);
    }

    /** The same, of one that may have been listed otherwise before. */
    public static Map<String, String> relisted(Scheme scheme) {
        return Map.of(Labels.PEER_SCHEME, scheme.word());
    }

    private static Map<String, String> and(Map<String, String> some, Map<String, String> others) {
        Map<String, String> all = new TreeMap<>(some);
        all.putAll(others);
        return all;
    }

    /** What a claim carries once a member was seen to run on it. */
    public static Map<String, String> heldBy(ClusterId clusterId, MemberId memberId) {
        return Map.of(Labels.CLUSTER_ID, clusterId.toString(), Labels.MEMBER_ID, memberId.toString());
    }

    /** What a claim carries of the member that was added to run on it, before it starts. */
    public static Map<String, String> expecting(MemberId memberId) {
        return Map.of(Labels.EXPECTED_MEMBER, memberId.toString());
    }

    /** What a claim carries once an agent could read what etcd calls corrupt. */
    public static Map<String, String> readable(Instant at) {
        return Map.of(Labels.READABLE_AT, at.toString());
    }

    /** What a claim carries of the version that was seen to run on it. */
    public static Map<String, String> writtenBy(EtcdVersion version) {
        return Map.of(Labels.VERSION, version.toString());
    }

    /** What a claim carries before its member is removed: from then on it may be deleted, once the member is gone. */
    public static Map<String, String> retired(MemberId memberId) {
        return Map.of(Labels.RETIRED, memberId.toString());
    }

    /** The member stays after all. */
    public static Map<String, String> kept() {
        return Map.of(Labels.RETIRED, "");
    }

    /** What a claim carries of the promotion of the member on it. */
    public static Map<String, String> promoted(Promotion promotion) {
        return Map.of(Labels.PROMOTION, promotion.word());
    }

    /** How large a volume the cluster asks for. */
    public static Quantity storage(EtcdCluster cluster) {
        return requested(cluster.getSpec().storage().volumeClaimTemplate());
    }

    public static boolean isSmall(PersistentVolumeClaim claim, EtcdCluster cluster) {
        return claim.getSpec() != null && bytes(requested(claim.getSpec())).compareTo(bytes(storage(cluster))) < 0;
    }

    private static Quantity requested(PersistentVolumeClaimSpec spec) {
        return Optional.ofNullable(spec.getResources())
                .map(VolumeResourceRequirements::getRequests)
                .map(requests -> requests.get("storage"))
                .orElse(new Quantity("0"));
    }

    private static BigDecimal bytes(Quantity quantity) {
        return Quantity.getAmountInBytes(quantity);
    }

    private static PersistentVolumeClaimSpec withAccessModes(PersistentVolumeClaimSpec template) {
        return template.getAccessModes().isEmpty()
                ? new PersistentVolumeClaimSpecBuilder(template)
                        .withAccessModes(List.of("ReadWriteOnce"))
                        .build()
                : template;
    }
}
