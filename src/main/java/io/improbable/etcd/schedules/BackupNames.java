package io.improbable.etcd.schedules;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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

    /** @param wish what the annotation says, which may be anything */
    static String ofWish(String schedule, String wish) {
        var checksum = new CRC32C();
        checksum.update(wish.getBytes(StandardCharsets.UTF_8));
        return "%s-now-%08x".formatted(schedule, checksum.getValue());
    }
}
