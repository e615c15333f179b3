package io.improbable.etcd.backup;

import io.improbable.etcd.api.EtcdBackupStatus.BackupPhase;
import java.time.Instant;
import java.util.Optional;

/**
 * All that a pass knows of a backup.
 *
 * @param phase as it is on record
 * @param stored whether something is on record as stored, which goes with this backup and is not another one's, too
 * @param readiness whether an agent could be sent now
 * @param keeping what is to become of what is stored, and what the object says of it
 * @param deleted whether somebody has deleted the object
 */
public record BackupView(
        Optional<BackupPhase> phase,
        boolean stored,
        Readiness readiness,
        Errand taking,
        Errand erasing,
        Keeping keeping,
        boolean deleted,
        Instant now) {

    boolean isFinished() {
        return phase.filter(known -> known == BackupPhase.COMPLETED || known == BackupPhase.FAILED)
                .isPresent();
    }

    /** Whether there is all that an agent needs. */
    public sealed interface Readiness {
        record Ready() implements Readiness {}

        /** @param reason one word for machines @param why what is waited for, and what to do about it */
        record NotYet(String reason, String why) implements Readiness {}
    }

    /**
     * What becomes of what is stored.
     *
     * @param erase whether it goes with the object; as the object says, where nobody can be asked any more
     * @param withCluster whether the object goes with its cluster
     * @param held whether the object waits for it already
     * @param owned whether the object goes with its cluster already
     */
    public record Keeping(boolean erase, boolean withCluster, boolean held, boolean owned) {
        boolean isSettled() {
            return erase == held && withCluster == owned;
        }
    }
}
