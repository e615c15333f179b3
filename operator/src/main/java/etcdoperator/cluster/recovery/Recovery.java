package etcdoperator.cluster.recovery;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.step.Outcome.Finish;
import etcdoperator.cluster.step.Outcome.Stuck;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.RecoverySource;
import etcdoperator.cluster.step.RecoverySource.Disks;
import etcdoperator.cluster.step.RecoveryStep.DropChoice;
import etcdoperator.cluster.step.RecoveryStep.NoteLoss;
import etcdoperator.cluster.step.RecoveryStep.Recover;
import etcdoperator.cluster.step.RecoveryStep.SaveRemains;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.BackupView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.RecoveryView;
import etcdoperator.cluster.view.RecoveryView.State;
import etcdoperator.domain.ClusterId;
import etcdoperator.manifest.Recoveries;
import etcdoperator.manifest.Recoveries.Votes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A cluster that has lost most voters for good. It is slower to act than to be sure: the loss is written down first, and
 * lasts for as long as the user says, or until a person chooses. Then what is left is saved, and an EtcdRestore in place
 * makes a new etcd cluster of it, whose id keeps the old members out should they come back. Until that has begun to put
 * the old claims aside, a majority that returns calls it off.
 */
public final class Recovery {
    /** A store may be gone with the nodes; what is left is only read, and kept. */
    private static final Duration LONGEST_SAVING = Duration.ofMinutes(30);

    private final ClusterView view;
    private final Casualties casualties;
    private final Task task;

    private Recovery(ClusterView view) {
        this.view = view;
        this.casualties = Casualties.of(view);
        this.task = new Task(OperationType.RECOVER, view.wish().key().name());
    }

    public static Optional<Step> next(ClusterView view) {
        if (view.wish().replicas() == 0) {
            return Optional.empty();
        }
        var recovery = new Recovery(view);
        return recovery.casualties.mayBeMajority() ? Optional.of(recovery.goOn()) : recovery.callOff();
    }

    private Optional<Step> callOff() {
        return LossRecheck.callOff(view)
                .or(() -> view.memory()
                        .operation()
                        .filter(task::isRecordedAs)
                        .map(operation -> new Finish(operation, "Enough voters are left to be a quorum again")))
                .or(() -> view.wish()
                        .recovery()
                        .choice()
                        .filter(choice -> view.reachable()
                                .filter(Reachable::quorumAnswers)
                                .isPresent())
                        .map(choice -> new DropChoice(
                                "Taking annotation etcd.improbable.io/recover=%s back: too many voters would have to be lost for it to mean anything"
                                        .formatted(choice))));
    }

    private Step goOn() {
        Optional<Operation> noted = view.memory().operation().filter(task::isRecordedAs);
        if (noted.isEmpty()) {
            return new NoteLoss(task, casualties.told());
        }
        Optional<RecoveryView> underWay = view.recoveries().stream()
                .filter(recovery -> recovery.lost().equals(lostCluster()))
                .filter(recovery -> recovery.state() == State.UNDER_WAY || recovery.deleting())
                .findFirst();
        if (underWay.isPresent()) {
            return new Wait("Waiting for EtcdRestore %s: %s"
                    .formatted(underWay.get().name(), underWay.get().says()));
        }
        Optional<String> choice = view.wish().recovery().choice();
        if (choice.isPresent()) {
            return RecoveryChoices.named(choice.get(), view, casualties)
                    .map(this::from)
                    .orElseGet(() -> ask(
                            "%s is annotated with etcd.improbable.io/recover=%s, which is neither a claim that is left nor a completed EtcdBackup"
                                    .formatted(view.wish().key().name(), choice.get())));
        }
        if (!casualties.areMajority()) {
            return ask(
                    "a member that no list has as a voter may have got its vote since, and would be a quorum with those that are left: "
                            + casualties.undecided());
        }
        return view.wish().recovery().automatic()
                ? byItself(noted.get().startedAt())
                : ask("spec.recovery.quorumLoss is Manual");
    }

    private Step byItself(Instant since) {
        List<String> doomed = casualties.doomed();
        if (!doomed.isEmpty()) {
            return ask(
                    "claim %s is being deleted, and what is on it lasts only as long as its pod, which a recovery would stop: have an EtcdBackup of this cluster taken first"
                            .formatted(String.join(", ", doomed)));
        }
        Optional<RecoverySource> source = RecoveryChoices.best(view, casualties);
        if (source.isEmpty()) {
            return ask("there is nothing to recover from by itself");
        }
        Instant due = due(view, since);
        return due.isAfter(view.now())
                ? new Wait("%s; recovering from %s at %s, unless enough of them are back before"
                        .formatted(casualties.told(), source.get().told(), due))
                : from(source.get());
    }

    /** When time alone moves it on. */
    public static Optional<Duration> due(ClusterView view) {
        return view.memory()
                .operation()
                .filter(operation -> operation.type() == OperationType.RECOVER)
                .filter(operation -> view.wish().recovery().automatic())
                .map(operation -> due(view, operation.startedAt()))
                .filter(due -> due.isAfter(view.now()))
                .map(due -> Duration.between(view.now(), due));
    }

    /** It must have lasted that long under somebody's eyes: whoever has just begun to look may see the end of an outage. */
    private static Instant due(ClusterView view, Instant noted) {
        Instant seen = view.chores().since();
        return (noted.isBefore(seen) ? seen : noted).plus(view.wish().recovery().grace());
    }

    private Step from(RecoverySource source) {
        Votes votes = source instanceof Disks && view.wish().recovery().choice().isEmpty()
                ? casualties.votes()
                : Votes.CERTAIN;
        String name = named("recovery", source, votes.key());
        Optional<RecoveryView> failed = view.recoveries().stream()
                .filter(recovery -> recovery.name().equals(name) && recovery.state() == State.FAILED)
                .findFirst();
        if (failed.isPresent()) {
            return new Stuck(new Problem(
                    Problem.Kind.RecoveryFailed,
                    "EtcdRestore %s, which was to bring the cluster back from %s, failed: %s; delete it to have another try, or choose: %s"
                            .formatted(
                                    name,
                                    source.told(),
                                    failed.get().says(),
                                    RecoveryChoices.commands(view, casualties))));
        }
        return saved(source)
                .orElseGet(() -> new Recover(
                        task,
                        name,
                        lostCluster(),
                        source,
                        casualties.blanks(),
                        votes,
                        "Recovering from %s with EtcdRestore %s".formatted(source.told(), name)));
    }

    /** What is left is copied before it is touched, where a place for copies is known; if that fails, it is only read, and kept. */
    private Optional<Step> saved(RecoverySource source) {
        if (!view.wish().recovery().savesFirst() || !(source instanceof Disks)) {
            return Optional.empty();
        }
        String name = named("remains", source, incident());
        Optional<BackupView> taken = view.backups().stream()
                .filter(backup -> backup.name().equals(name))
                .findFirst();
        return taken.isEmpty()
                ? Optional.of(new SaveRemains(
                        task, name, "Taking backup %s of what is left before it is touched".formatted(name)))
                : taken.filter(backup -> backup.state() == BackupView.State.UNDER_WAY)
                        .filter(backup ->
                                backup.createdAt().plus(LONGEST_SAVING).isAfter(view.now()))
                        .map(backup -> new Wait("Waiting for EtcdBackup %s of what is left before it is touched%s"
                                .formatted(name, backup.says().isEmpty() ? "" : ": " + backup.says())));
    }

    private Step ask(String why) {
        return new Stuck(new Problem(
                Problem.Kind.MajorityLost,
                "%s. %s. The operator waits, because %s; %s"
                        .formatted(
                                casualties.told(),
                                RecoveryChoices.choices(view, casualties),
                                why,
                                RecoveryChoices.advice(view, casualties))));
    }

    /** Empty where most voters may be left. */
    public static Optional<String> lossOf(ClusterView view) {
        Casualties casualties = Casualties.of(view);
        return casualties.areMajority() && view.wish().replicas() > 0 && !isBeingSwapped(view)
                ? Optional.of(casualties.told() + ". " + RecoveryChoices.choices(view, casualties))
                : Optional.empty();
    }

    /** Claims that are put aside are not lost, whoever restores the cluster. */
    private static boolean isBeingSwapped(ClusterView view) {
        return view.wish()
                .restoring()
                .filter(restore -> view.recoveries().stream()
                        .noneMatch(recovery -> recovery.name().equals(restore) && !recovery.swapped()))
                .isPresent();
    }

    private ClusterId lostCluster() {
        return view.memory().clusterId().orElseThrow();
    }

    /** The same may be lost again after a recovery was called off, and there is more to copy then. */
    private String incident() {
        return view.memory()
                .operation()
                .map(operation -> " " + operation.startedAt())
                .orElse("");
    }

    private String named(String what, RecoverySource source, String more) {
        return Recoveries.named(
                view.wish().key().name(),
                what,
                lostCluster() + " " + view.wish().uid() + " " + source.key() + more);
    }
}
