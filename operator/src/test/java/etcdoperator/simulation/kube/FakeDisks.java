package etcdoperator.simulation.kube;

import etcdoperator.manifest.Labels;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.etcd.Volume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The disks behind claims, and the nodes that have them. Claims come and go by name, disks by the claim's uid. */
public final class FakeDisks {
    private final Map<String, Volume> volumes = new TreeMap<>();
    private final Map<String, String> homes = new HashMap<>();
    private final Set<String> keptBack = new HashSet<>();
    private final boolean tied;

    /** @param tied whether a disk is to be had only on the node where it was first used */
    FakeDisks(boolean tied) {
        this.tied = tied;
    }

    Volume volume(PersistentVolumeClaim claim) {
        String uid = claim.getMetadata().getUid();
        return volumes.computeIfAbsent(
                uid, key -> new Volume(claim.getMetadata().getName() + "/" + uid));
    }

    void usedAt(String node, PersistentVolumeClaim claim) {
        if (tied) {
            homes.put(claim.getMetadata().getUid(), node);
        }
    }

    /** The node that alone has it. */
    public Optional<String> home(PersistentVolumeClaim claim) {
        return Optional.ofNullable(homes.get(claim.getMetadata().getUid()));
    }

    boolean isToBeHadAt(String node, PersistentVolumeClaim claim) {
        boolean keptBack = keptBack.contains(claim.getMetadata().getLabels().get(Labels.PEER));
        return !keptBack && home(claim).orElse(node).equals(node);
    }

    /** No node gets disks of this peer, as where nobody provides them. */
    public void keepBack(String peer) {
        keptBack.add(peer);
    }

    public void handOut() {
        keptBack.clear();
    }

    /** Those that a node alone has. */
    public List<Volume> tiedTo(String node) {
        return homes.entrySet().stream()
                .filter(entry -> entry.getValue().equals(node))
                .flatMap(entry -> Optional.ofNullable(volumes.get(entry.getKey())).stream())
                .toList();
    }

    public List<Volume> away() {
        return volumes.values().stream().filter(Volume::isAway).toList();
    }

    /** All that was ever on any disk: what a quorum has agreed on stays agreed on when its disks are emptied. */
    public List<MemberData> everWritten() {
        return volumes.values().stream()
                .flatMap(volume -> volume.history().stream())
                .toList();
    }
}
