package etcdoperator.simulation;

import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The disks behind claims, and the nodes that have them. Claims come and go by name, disks by the claim's uid. */
final class FakeDisks {
    private final Map<String, Volume> volumes = new TreeMap<>();
    private final Map<String, String> homes = new HashMap<>();
    private final Deque<MemberData> used = new ArrayDeque<>();
    private final boolean tied;

    /** @param tied whether a disk is to be had only on the node where it was first used */
    FakeDisks(boolean tied) {
        this.tied = tied;
    }

    Volume volume(PersistentVolumeClaim claim) {
        String uid = claim.getMetadata().getUid();
        return volumes.computeIfAbsent(uid, key -> bind(claim));
    }

    /** A claim that is new gets a disk that is free, wiped or not. */
    private Volume bind(PersistentVolumeClaim claim) {
        var volume = new Volume(
                claim.getMetadata().getName() + "/" + claim.getMetadata().getUid());
        boolean ofRestore = claim.getMetadata().getAnnotations().containsKey(Labels.RESTORED_BY);
        if (!ofRestore && !used.isEmpty()) {
            volume.holdsFromBefore(used.pop());
        }
        return volume;
    }

    /** The next new claim gets the disk with this on it. */
    void free(MemberData data) {
        used.add(data);
    }

    /** Disks whose claims are gone, and on which there is something. @param claims uids of those that are there */
    List<Volume> released(Set<String> claims) {
        return volumes.entrySet().stream()
                .filter(volume -> !claims.contains(volume.getKey()))
                .map(Map.Entry::getValue)
                .filter(volume -> volume.data().isPresent() && volume.user().isEmpty())
                .toList();
    }

    void usedAt(String node, PersistentVolumeClaim claim) {
        if (tied) {
            homes.put(claim.getMetadata().getUid(), node);
        }
    }

    /** The node that alone has it. */
    Optional<String> home(PersistentVolumeClaim claim) {
        return Optional.ofNullable(homes.get(claim.getMetadata().getUid()));
    }

    boolean isToBeHadAt(String node, PersistentVolumeClaim claim) {
        return home(claim).orElse(node).equals(node);
    }

    /** Those that a node alone has. */
    List<Volume> tiedTo(String node) {
        return homes.entrySet().stream()
                .filter(entry -> entry.getValue().equals(node))
                .flatMap(entry -> Optional.ofNullable(volumes.get(entry.getKey())).stream())
                .toList();
    }

    List<Volume> away() {
        return volumes.values().stream().filter(Volume::isAway).toList();
    }

    /** All that was ever on any disk: what a quorum has agreed on stays agreed on when its disks are emptied. */
    List<MemberData> everWritten() {
        return volumes.values().stream()
                .flatMap(volume -> volume.history().stream())
                .toList();
    }
}
