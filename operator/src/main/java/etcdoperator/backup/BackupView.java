package etcdoperator.backup;

import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import java.time.Instant;
import java.util.Optional;

/**
 * All that a pass knows of a backup.
 *
 * @param phase as it is on record
 * @param stored whether something is on record as stored, which goes with this backup and is not another one's, too
 * @param forbidden why no agent may log in to the store, if none may
 * @param readiness whether an agent could be sent now
 * @param taking the errand of asking members
 * @param reading that of reading the volume of one, when none answers
 * @param volume whether there is such a volume
 * @param unheard when the agent was sent for whose lost words another one was sent
 * @param marked whether a member stands still for this backup
 * @param keeping what is to become of what is stored, and what the object says of it
 * @param deleted whether somebody has deleted the object
 */
public record BackupView(
        Optional<BackupPhase> phase,
        boolean stored,
        Optional<String> forbidden,
        Readiness readiness,
        Errand taking,
        Reading reading,
        Volume volume,
        Optional<String> unheard,
        boolean marked,
        Errand erasing,
        Keeping keeping,
        boolean deleted,
        Instant now) {

    boolean isFinished() {
        return phase.filter(known -> known == BackupPhase.COMPLETED || known == BackupPhase.FAILED)
                .isPresent();
    }

    /** @param claim whose volume is read; as the Job has it */
    public record Reading(Errand errand, Optional<String> claim) {
        static final Reading NONE = new Reading(new Errand.NotSent(), Optional.empty());

        boolean isSent() {
            return !(errand instanceof Errand.NotSent);
        }
    }

    /** What the agent was sent for last. */
    Errand latest() {
        return reading.isSent() ? reading.errand() : taking;
    }

    /** Whether there is all that an agent needs. */
    public sealed interface Readiness {
        record Ready() implements Readiness {}

        /** @param reason one word for machines @param why what is waited for, and what to do about it */
        record NotYet(String reason, String why) implements Readiness {}

        /** All but a member that runs. */
        record NobodyRuns(String why) implements Readiness {}
    }

    /** Whether the volume of a member can be read, because none can be asked. Each names the peer whose it is. */
    public sealed interface Volume {
        /** Somebody can be asked, as far as is known, or there is no volume to read. */
        record None() implements Volume {}

        /** @param reason one word for machines @param why what is waited for, and what to do about it */
        record NotYet(String reason, String why) implements Volume {}

        /** Its member has to be stopped first. */
        record InUse(String peer) implements Volume {}

        /** Its member is on its way out. */
        record Ending(String peer) implements Volume {}

        /** Nobody is on it, and nobody will be. */
        record Free(String peer) implements Volume {}
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
