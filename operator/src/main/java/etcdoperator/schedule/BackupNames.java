package etcdoperator.schedule;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.zip.CRC32C;

/** What the backups of a schedule are called: by what they were asked for, so that asking twice makes one. */
final class BackupNames {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyyMMddHHmm").withZone(ZoneOffset.UTC);

    private BackupNames() {}

    /** No two runs are in one minute. */
    static String ofRun(String schedule, Instant scheduled) {
        return schedule + "-" + MINUTE.format(scheduled);
    }

    /** @param former what the annotation said before, so that the same is wanted anew after something else */
    static String ofWish(String schedule, Optional<String> former, String wish) {
        var checksum = new CRC32C();
        former.ifPresent(before -> checksum.update((before + "\n").getBytes(StandardCharsets.UTF_8)));
        checksum.update(wish.getBytes(StandardCharsets.UTF_8));
        return "%s-now-%08x".formatted(schedule, checksum.getValue());
    }
}
