package etcdoperator.cluster.recovery;

import etcdoperator.cluster.step.RecoveryStep.CallOff;
import etcdoperator.cluster.step.RecoveryStep.ConfirmLoss;
import etcdoperator.cluster.step.RecoveryStep.DropChoice;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.RecoveryView;
import etcdoperator.cluster.view.RecoveryView.State;
import etcdoperator.manifest.Recoveries;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Judges a loss again while every member is stopped for the recovery from it. No member answers then, but data that was
 * lost may be back, and disks may show a vote that was in no list. Until old claims are set aside, the recovery can be
 * called off.
 */
public final class LossRecheck {
    /** Well before the restore takes it for too old. */
    private static final Duration CONFIRM_AGAIN = Duration.ofSeconds(5);

    private final ClusterView view;
    private final Casualties casualties;
    private final Optional<RecoveryView> underWay;

    private LossRecheck(ClusterView view) {
        this.view = view;
        this.casualties = Casualties.of(view);
        this.underWay = underWay(view);
    }

    /** Empty while the loss lasts and was confirmed just now. */
    public static Optional<Step> next(ClusterView view) {
        var recheck = new LossRecheck(view);
        return recheck.vote().or(() -> recheck.lasts() ? recheck.confirmLoss() : callOff(view));
    }

    static Optional<Step> callOff(ClusterView view) {
        return underWay(view)
                .map(recovery -> new CallOff(
                        recovery.name(),
                        List.of(),
                        recovery.foundReadable(),
                        "Deleting EtcdRestore %s: enough voters are left to be a quorum again, so that the cluster goes on as it was"
                                .formatted(recovery.name())));
    }

    private static Optional<RecoveryView> underWay(ClusterView view) {
        return view.recoveries().stream()
                .filter(recovery -> recovery.state() == State.UNDER_WAY && !recovery.swapped() && !recovery.deleting())
                .findFirst();
    }

    /** A learner counts as having no vote only if the disks that this very recovery looks at say so. */
    private boolean lasts() {
        return view.wish().recovery().choice().isPresent()
                ? casualties.mayBeMajority()
                : casualties.areMajority(casualties.withoutVote().stream()
                        .filter(claim -> underWay.filter(
                                        recovery -> recovery.learners().contains(claim))
                                .isPresent())
                        .toList());
    }

    /** Recorded on the claims of learners before the recovery ends, or the next one would begin for the same reason. */
    private Optional<Step> vote() {
        return underWay.filter(recovery -> !recovery.votersFound().isEmpty())
                .map(recovery -> new CallOff(
                        recovery.name(),
                        casualties.withoutVote(),
                        recovery.foundReadable(),
                        "Deleting EtcdRestore %s: the log of a member says that %s votes, which no list has as a voter, and which may be a quorum with the voters that are left"
                                .formatted(recovery.name(), String.join(", ", recovery.votersFound()))));
    }

    private Optional<Step> confirmLoss() {
        Optional<RecoveryView> asking = view.recoveries().stream()
                .filter(recovery -> recovery.asks() && !recovery.deleting())
                .filter(recovery -> view.wish().restoring().equals(Optional.of(recovery.name()))
                        && Optional.of(recovery.lost()).equals(view.memory().clusterId()))
                .findFirst();
        return asking.flatMap(this::disproved)
                .or(() -> asking.flatMap(this::betterDisk))
                .or(() -> asking.filter(recovery -> recovery.confirmedAt()
                                .filter(at -> Recoveries.isFresh(at, CONFIRM_AGAIN, view.now()))
                                .isEmpty())
                        .map(this::confirm));
    }

    /** What somebody chose from was not all that there is: it is for them to choose again. */
    private Optional<Step> disproved(RecoveryView recovery) {
        return view.wish()
                .recovery()
                .choice()
                .flatMap(choice -> unread(recovery)
                        .filter(claim -> recovery.foundEmpty().contains(claim)
                                || recovery.foundReadable().contains(claim))
                        .findFirst()
                        .map(claim -> new DropChoice(
                                "Taking annotation etcd.improbable.io/recover=%s back: there is data on claim %s, which was taken for empty or corrupt when that was chosen"
                                        .formatted(choice, claim))));
    }

    /** One that came back in the meantime has more than any backup, and may have more than the others. */
    private Optional<Step> betterDisk(RecoveryView recovery) {
        return unread(recovery)
                .filter(claim -> view.wish().recovery().choice().isEmpty())
                .findFirst()
                .map(claim -> new CallOff(
                        recovery.name(),
                        List.of(),
                        recovery.foundReadable(),
                        "Deleting EtcdRestore %s: claim %s is back, which it does not read; another one looks at all that is left"
                                .formatted(recovery.name(), claim)));
    }

    private Stream<String> unread(RecoveryView recovery) {
        return casualties.survivors().stream()
                .map(Casualties.Survivor::claimName)
                .filter(claim -> !recovery.disks().contains(claim));
    }

    private Step confirm(RecoveryView recovery) {
        return new ConfirmLoss(
                recovery.name(),
                "%s; EtcdRestore %s may set the old claims aside".formatted(casualties.told(), recovery.name()));
    }
}
