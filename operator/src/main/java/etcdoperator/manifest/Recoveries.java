package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreSpec;
import etcdoperator.api.EtcdRestoreSpec.ClusterTemplate;
import etcdoperator.api.EtcdRestoreSpec.RestoreSource;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/** EtcdRestores that the operator makes to bring a cluster back. Nobody owns them: they tell afterwards what was used. */
public final class Recoveries {
    private static final int LONGEST_PREFIX = 31;

    private Recoveries() {}

    /**
     * What pods have told of volumes before they ended.
     *
     * @param withoutData claims on which there was nothing, or nothing that etcd could start on
     * @param foundEmpty those of them on which there was nothing, as when a disk is mounted late
     * @param foundCorrupt those of them that etcd calls corrupt, as when a disk could not be read for a moment
     */
    public record Blanks(List<String> withoutData, List<String> foundEmpty, List<String> foundCorrupt) {}

    /**
     * What disks have to confirm before the restore goes on.
     *
     * @param voters members that are known to vote, lost or not
     * @param learners claims of learners that count as having no vote, as long as no log says otherwise
     */
    public record Votes(List<MemberId> voters, List<String> learners) {
        /** The majority is lost whatever votes learners have. */
        public static final Votes CERTAIN = new Votes(List.of(), List.of());

        /** The same for the same, and empty where there is nothing to confirm. */
        public String key() {
            return learners.isEmpty() ? "" : " without " + String.join(",", learners);
        }
    }

    /** @param lost the etcd cluster that has lost its majority */
    public static EtcdRestore of(
            EtcdCluster cluster, String name, ClusterId lost, RestoreSource source, Blanks blanks, Votes votes) {
        var restore = new EtcdRestore();
        restore.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.getMetadata().getNamespace())
                .withName(name)
                .withLabels(Labels.ofUnowned(Labels.keyOf(cluster)))
                .withAnnotations(Map.of(
                        Labels.RECOVERS,
                        lost.toString(),
                        Labels.WITHOUT_DATA,
                        String.join(",", blanks.withoutData()),
                        Labels.FOUND_EMPTY,
                        String.join(",", blanks.foundEmpty())))
                .addToAnnotations(
                        blanks.foundCorrupt().isEmpty()
                                ? Map.of()
                                : Map.of(Labels.FOUND_CORRUPT, String.join(",", blanks.foundCorrupt())))
                .addToAnnotations(votes.learners().isEmpty() ? Map.of() : annotations(votes))
                .build());
        restore.setSpec(new EtcdRestoreSpec(
                source, new ClusterTemplate(cluster.getMetadata().getName(), null), true, null));
        return restore;
    }

    private static Map<String, String> annotations(Votes votes) {
        return Map.of(
                Labels.VOTERS,
                votes.voters().stream().map(MemberId::toString).collect(Collectors.joining(",")),
                Labels.LEARNERS,
                String.join(",", votes.learners()));
    }

    /** The same for the same inputs. @param what it is for @param inputs all that it depends on */
    public static String named(String cluster, String what, String inputs) {
        var crc = new CRC32();
        crc.update(inputs.getBytes(StandardCharsets.UTF_8));
        return "%s-%s-%08x"
                .formatted(cluster.substring(0, Math.min(cluster.length(), LONGEST_PREFIX)), what, crc.getValue());
    }

    public static boolean isOne(EtcdRestore restore) {
        return lost(restore).isPresent() && restore.getSpec().goesInPlace();
    }

    /** When most voters were last found to be lost still. */
    public static Optional<Instant> confirmedAt(EtcdRestore restore) {
        try {
            return said(restore, Labels.LOSS_CONFIRMED).map(Instant::parse);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** One from the future, of a clock that was wrong, would be so for ever. */
    public static boolean isFresh(Instant confirmedAt, Duration lasts, Instant now) {
        return confirmedAt.plus(lasts).isAfter(now) && !confirmedAt.isAfter(now.plusSeconds(1));
    }

    private static Optional<String> said(EtcdRestore restore, String annotation) {
        return Optional.ofNullable(restore.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(annotation));
    }

    /** Claims on which nothing was found while there were pods to look, nor since. */
    public static List<String> withoutData(EtcdRestore restore) {
        return names(restore, Labels.WITHOUT_DATA);
    }

    /** Those of them that were empty when there were pods to look. */
    public static List<String> foundEmpty(EtcdRestore restore) {
        return names(restore, Labels.FOUND_EMPTY);
    }

    /** Those of them that etcd called corrupt when there were pods to look. */
    public static List<String> foundCorrupt(EtcdRestore restore) {
        return names(restore, Labels.FOUND_CORRUPT);
    }

    /** Those that etcd called corrupt, and an agent could read since. */
    public static List<String> foundReadable(EtcdRestore restore) {
        return names(restore, Labels.FOUND_READABLE);
    }

    /** Members that were known to vote when it began. */
    public static List<String> voters(EtcdRestore restore) {
        return names(restore, Labels.VOTERS);
    }

    /** Claims of learners that count as having no vote, as long as no log says otherwise. */
    public static List<String> learners(EtcdRestore restore) {
        return names(restore, Labels.LEARNERS);
    }

    /** Members that vote by a log, and were not known to. */
    public static List<String> votersFound(EtcdRestore restore) {
        return names(restore, Labels.VOTERS_FOUND);
    }

    /** What the annotations say once such members were found: what was judged before, was so without them. */
    public static Map<String, String> withVotersFound(List<String> found) {
        return Map.of(Labels.VOTERS_FOUND, String.join(",", found), Labels.LOSS_CONFIRMED, "");
    }

    private static List<String> names(EtcdRestore restore, String annotation) {
        String names = said(restore, annotation).orElse("");
        return names.isEmpty() ? List.of() : List.of(names.split(","));
    }

    /** What the annotations say once something was found on some of them after all: what was judged before, was so without it. */
    public static Map<String, String> corrected(EtcdRestore restore, List<String> found) {
        return Map.of(
                Labels.WITHOUT_DATA,
                withoutData(restore).stream()
                        .filter(claim -> !found.contains(claim))
                        .collect(Collectors.joining(",")),
                Labels.FOUND_READABLE,
                foundCorrupt(restore).stream()
                        .filter(claim -> found.contains(claim)
                                || foundReadable(restore).contains(claim))
                        .collect(Collectors.joining(",")),
                Labels.LOSS_CONFIRMED,
                "");
    }

    /** The etcd cluster that has lost its majority. */
    public static Optional<ClusterId> lost(EtcdRestore restore) {
        try {
            return said(restore, Labels.RECOVERS).map(ClusterId::parse);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
