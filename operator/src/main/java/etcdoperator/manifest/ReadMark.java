package etcdoperator.manifest;

import etcdoperator.api.EtcdPeer;
import etcdoperator.api.backup.EtcdBackup;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Says on an EtcdPeer which EtcdBackup wants to read its volume. It counts only while that very backup is under way: a
 * backup that ends, is deleted or is never looked at again leaves no member stopped.
 */
public final class ReadMark {
    private ReadMark() {}

    /** The backup that this peer stands still for. */
    public static Optional<EtcdBackup> readerOf(EtcdPeer peer, List<EtcdBackup> backups) {
        return backups.stream()
                .filter(backup -> isBy(backup, peer) && isUnderWay(backup))
                .findFirst();
    }

    public static boolean isBy(EtcdBackup backup, EtcdPeer peer) {
        return mark(backup).equals(annotations(peer).get(Labels.READ_BY));
    }

    public static EtcdPeer put(EtcdBackup backup, EtcdPeer peer) {
        Map<String, String> annotations = new TreeMap<>(annotations(peer));
        annotations.put(Labels.READ_BY, mark(backup));
        return with(annotations, peer);
    }

    public static EtcdPeer remove(EtcdPeer peer) {
        Map<String, String> annotations = new TreeMap<>(annotations(peer));
        annotations.remove(Labels.READ_BY);
        return with(annotations, peer);
    }

    /** One that is deleted goes on only where something holds it back until its agent has ended. */
    private static boolean isUnderWay(EtcdBackup backup) {
        boolean finished = backup.getStatus() != null && backup.getStatus().completionTime() != null;
        boolean going = backup.getMetadata().getDeletionTimestamp() != null
                && !backup.getMetadata().getFinalizers().contains(Labels.STORED_BACKUP);
        return !finished && !going;
    }

    private static String mark(EtcdBackup backup) {
        return backup.getMetadata().getName() + "/" + backup.getMetadata().getUid();
    }

    private static EtcdPeer with(Map<String, String> annotations, EtcdPeer peer) {
        var changed = new EtcdPeer();
        changed.setMetadata(
                peer.getMetadata().edit().withAnnotations(annotations).build());
        changed.setSpec(peer.getSpec());
        changed.setStatus(peer.getStatus());
        return changed;
    }

    private static Map<String, String> annotations(EtcdPeer peer) {
        return Objects.requireNonNullElse(peer.getMetadata().getAnnotations(), Map.of());
    }
}
