package io.improbable.etcd.backup;

import io.improbable.etcd.api.EtcdBackupStatus.BackupPhase;
import io.improbable.etcd.backup.BackupView.Keeping;
import io.improbable.etcd.backup.BackupView.Readiness;
import io.improbable.etcd.backup.BackupView.Reading;
import io.improbable.etcd.backup.BackupView.Volume;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A view of a backup, as a table of what is planned needs it. */
record GivenBackup(BackupView view) {
    static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");
    private static final Errand NOBODY = new Errand.NotSent();

    static GivenBackup of(Readiness readiness, Errand taking, Keeping keeping) {
        return new GivenBackup(new BackupView(
                Optional.empty(),
                false,
                readiness,
                taking,
                Reading.NONE,
                new Volume.None(),
                Optional.empty(),
                false,
                NOBODY,
                keeping,
                false,
                NOW));
    }

    GivenBackup finished(BackupPhase phase, boolean stored, Errand erasing) {
        return new GivenBackup(new BackupView(
                Optional.of(phase),
                stored,
                view.readiness(),
                view.taking(),
                view.reading(),
                view.volume(),
                view.unheard(),
                view.marked(),
                erasing,
                view.keeping(),
                view.deleted(),
                view.now()));
    }

    GivenBackup with(Volume volume) {
        return with(view.reading(), volume, view.marked(), view.deleted(), view.now());
    }

    GivenBackup reading(Errand errand) {
        return with(new Reading(errand, Optional.of("c-0")), view.volume(), view.marked(), view.deleted(), view.now());
    }

    GivenBackup unheard(Instant since) {
        return new GivenBackup(new BackupView(
                view.phase(),
                view.stored(),
                view.readiness(),
                view.taking(),
                view.reading(),
                view.volume(),
                Optional.of(since.toString()),
                view.marked(),
                view.erasing(),
                view.keeping(),
                view.deleted(),
                view.now()));
    }

    GivenBackup marked() {
        return with(view.reading(), view.volume(), true, view.deleted(), view.now());
    }

    GivenBackup deleted() {
        return with(view.reading(), view.volume(), view.marked(), true, view.now());
    }

    GivenBackup after(Duration time) {
        return with(
                view.reading(),
                view.volume(),
                view.marked(),
                view.deleted(),
                view.now().plus(time));
    }

    private GivenBackup with(Reading reading, Volume volume, boolean marked, boolean deleted, Instant now) {
        return new GivenBackup(new BackupView(
                view.phase(),
                view.stored(),
                view.readiness(),
                view.taking(),
                reading,
                volume,
                view.unheard(),
                marked,
                view.erasing(),
                view.keeping(),
                deleted,
                now));
    }
}
