package io.improbable.etcd.backup;

import io.improbable.etcd.backup.BackupView.Readiness.NotYet;
import io.improbable.etcd.backup.BackupView.Readiness.Ready;
import io.improbable.etcd.backup.Errand.AtWork;
import io.improbable.etcd.backup.Errand.Awaited;
import io.improbable.etcd.backup.Errand.Done;
import io.improbable.etcd.backup.Errand.Failed;
import io.improbable.etcd.backup.Errand.Mute;
import io.improbable.etcd.backup.Errand.NotSent;
import java.time.Duration;
import java.util.Optional;

/** What to do next about a backup. Pure. */
final class Planner {
    /** What denies the agent today may let it in tomorrow; until then people can read why. */
    static final Duration BEFORE_ERASING_AGAIN = Duration.ofMinutes(5);

    private Planner() {}

    static Step next(BackupView view) {
        if (view.deleted()) {
            return leave(view);
        }
        // Before the first byte is stored: else a backup that is deleted in between would leave its object behind.
        if (!view.keeping().isSettled()) {
            return new Step.Bind(view.keeping().erase(), view.keeping().withCluster());
        }
        return view.isFinished() ? tidy(view) : take(view);
    }

    private static Step take(BackupView view) {
        return switch (view.taking()) {
            case NotSent() ->
                switch (view.readiness()) {
                    case Ready() -> new Step.Start();
                    case NotYet(var reason, var why) -> new Step.Wait(reason, why, Optional.empty());
                };
            case Awaited(var since, var why) ->
                new Step.Wait(
                        why.isPresent() ? "AgentWaits" : "AgentStarts",
                        why.orElse("The agent's pod is being started"),
                        Optional.of(since));
            case AtWork(var since, var address, var progress) -> new Step.Follow(since, address, progress);
            case Done(var since, var report) -> new Step.Complete(since, report);
            case Mute(var since) ->
                new Step.Fail(
                        Optional.of(since),
                        "The agent ended well, but what it said is lost with its pod, and so is where the backup is; take"
                                + " another one");
            case Failed(var since, var at, var why) -> new Step.Fail(Optional.of(since), why);
        };
    }

    /** A pod of each backup that is kept would be many; those of failed ones are for people to look at. */
    private static Step tidy(BackupView view) {
        return view.stored() && !(view.taking() instanceof NotSent) ? new Step.Dismiss() : new Step.Rest();
    }

    private static Step leave(BackupView view) {
        if (!view.keeping().held()) {
            return new Step.Rest();
        }
        if (view.stored()) {
            return erase(view);
        }
        if (view.isFinished()) {
            return new Step.LetGo();
        }
        return switch (view.taking()) {
            // What an agent that is cut off has just finished would be found by nobody.
            case AtWork _ ->
                new Step.Hold("BackupRuns", "The agent still takes the backup; it is removed once it is complete");
            case Done(var since, var report) -> new Step.Complete(since, report);
            case NotSent _, Awaited _, Mute _, Failed _ -> new Step.LetGo();
        };
    }

    private static Step erase(BackupView view) {
        return switch (view.erasing()) {
            case NotSent() -> new Step.Erase();
            case Awaited(var since, var why) ->
                new Step.Hold(
                        why.isPresent() ? "AgentWaits" : "Erasing",
                        why.orElse("The agent that removes the stored backup is being started"));
            case AtWork _ -> new Step.Hold("Erasing", "The stored backup is being removed");
            case Done _, Mute _ -> new Step.LetGo();
            case Failed(var since, var at, var why)
            when view.now().isAfter(at.plus(BEFORE_ERASING_AGAIN)) -> new Step.EraseAgain();
            case Failed(var since, var at, var why) ->
                new Step.Hold(
                        "EraseFailed",
                        "The stored backup could not be removed, which is tried again every few minutes: " + why);
        };
    }
}
