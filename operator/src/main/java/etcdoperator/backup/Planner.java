package etcdoperator.backup;

import etcdoperator.backup.BackupView.Readiness;
import etcdoperator.backup.BackupView.Volume;
import etcdoperator.backup.Errand.AtWork;
import etcdoperator.backup.Errand.Awaited;
import etcdoperator.backup.Errand.Done;
import etcdoperator.backup.Errand.Failed;
import etcdoperator.backup.Errand.Mute;
import etcdoperator.backup.Errand.NotSent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What to do next about a backup. Pure. */
final class Planner {
    /** What denies the agent today may let it in tomorrow; until then people can read why. */
    static final Duration BEFORE_ERASING_AGAIN = Duration.ofMinutes(5);

    private Planner() {}

    static Step next(BackupView view) {
        if (view.forbidden().isPresent() && !view.isFinished() && isUnderWay(view.latest())) {
            return new Step.Dismiss();
        }
        if (view.deleted()) {
            return leave(view);
        }
        // Before the first byte is stored: else a backup that is deleted in between would leave its object behind.
        if (!view.keeping().isSettled()) {
            return new Step.Bind(view.keeping().erase(), view.keeping().withCluster());
        }
        return view.isFinished() ? givenBack(view, tidy(view)) : take(view);
    }

    /** A member that stands still for nothing comes first. */
    private static Step givenBack(BackupView view, Step then) {
        return view.marked() ? new Step.GiveBack() : then;
    }

    private static boolean isUnderWay(Errand errand) {
        return errand instanceof Awaited || errand instanceof AtWork;
    }

    private static Step take(BackupView view) {
        if (view.forbidden().isPresent() && !(view.latest() instanceof Done)) {
            return givenBack(
                    view, new Step.Fail(Optional.empty(), view.forbidden().get()));
        }
        return switch (view.latest()) {
            case NotSent() -> start(view);
            case Awaited(var since, var why) ->
                new Step.Wait(
                        why.isPresent() ? "AgentWaits" : "AgentStarts",
                        why.orElse("The agent's pod is being started"),
                        Optional.of(since));
            case AtWork(var since, var address, var progress) ->
                new Step.Follow(since, address, progress, view.reading().claim());
            case Done(var since, var report) ->
                new Step.Complete(since, report, view.reading().claim());
            case Mute(var since) -> unheard(view, since);
            case Failed failed -> failed(view, failed);
        };
    }

    /** Once: what deletes pods as they end will do it again. */
    private static Step unheard(BackupView view, Instant since) {
        return view.unheard().isEmpty() || view.unheard().get().equals(since.toString())
                ? new Step.SendAgain(since)
                : new Step.Fail(
                        Optional.of(since),
                        "Two agents ended well, but what they said is lost with their pods, and so is where the backup is;"
                                + " see who deletes these pods, and take another one");
    }

    private static Step start(BackupView view) {
        return switch (view.readiness()) {
            case Readiness.Ready() -> givenBack(view, new Step.Start());
            case Readiness.NotYet(var reason, var why) -> new Step.Wait(reason, why, Optional.empty());
            case Readiness.NobodyRuns(var why) -> read(view, new Step.Wait("NoMember", why, Optional.empty()));
        };
    }

    private static Step failed(BackupView view, Failed failed) {
        Optional<String> claim = view.reading().claim();
        if (claim.isPresent()) {
            return new Step.Fail(
                    Optional.of(failed.since()),
                    "No member could be asked, and claim %s could not be read: %s"
                            .formatted(claim.get(), failed.why()));
        }
        var end = new Step.Fail(Optional.of(failed.since()), failed.why());
        return failed.unanswered() ? read(view, end) : end;
    }

    /** @param otherwise where there is no volume to read, or members answer again */
    private static Step read(BackupView view, Step otherwise) {
        return switch (view.volume()) {
            case Volume.None() -> givenBack(view, otherwise);
            case Volume.NotYet(var reason, var why) -> new Step.Wait(reason, why, Optional.empty());
            case Volume.InUse(var peer) -> new Step.StopMember(peer);
            case Volume.Ending(var peer) ->
                new Step.Wait(
                        "MemberStops",
                        "Waiting for %s to stop, so that its volume can be read".formatted(peer),
                        Optional.empty());
            case Volume.Free(var peer) -> new Step.Read(peer);
        };
    }

    /**
     * A pod of each backup that is kept would be many; those of failed ones are for people to look at, unless they hold
     * the claim of a member.
     */
    private static Step tidy(BackupView view) {
        boolean sent = view.reading().isSent() || !(view.taking() instanceof NotSent);
        return sent && (view.stored() || view.reading().isSent()) ? new Step.Dismiss() : new Step.Rest();
    }

    private static Step leave(BackupView view) {
        if (!view.keeping().held()) {
            return givenBack(view, new Step.Rest());
        }
        if (view.stored()) {
            return erase(view);
        }
        if (view.isFinished()) {
            return givenBack(view, new Step.LetGo());
        }
        return switch (view.latest()) {
            // What an agent that is cut off has just finished would be found by nobody.
            case AtWork _ ->
                new Step.Hold("BackupRuns", "The agent still takes the backup; it is removed once it is complete");
            case Done(var since, var report) ->
                new Step.Complete(since, report, view.reading().claim());
            case NotSent _, Awaited _, Mute _, Failed _ -> givenBack(view, new Step.LetGo());
        };
    }

    private static Step erase(BackupView view) {
        if (view.forbidden().isPresent() && !(view.erasing() instanceof Done)) {
            return view.erasing() instanceof NotSent
                    ? new Step.Hold(
                            "EndpointForbidden",
                            "The stored backup cannot be removed: %s; or remove it yourself, and then the finalizer of this object"
                                    .formatted(view.forbidden().get()))
                    : new Step.EraseAgain();
        }
        return switch (view.erasing()) {
            case NotSent() -> new Step.Erase();
            case Awaited(var since, var why) ->
                new Step.Hold(
                        why.isPresent() ? "AgentWaits" : "Erasing",
                        why.orElse("The agent that removes the stored backup is being started"));
            case AtWork _ -> new Step.Hold("Erasing", "The stored backup is being removed");
            case Done _, Mute _ -> givenBack(view, new Step.LetGo());
            case Failed failed when view.now().isAfter(failed.at().plus(BEFORE_ERASING_AGAIN)) -> new Step.EraseAgain();
            case Failed failed ->
                new Step.Hold(
                        "EraseFailed",
                        "The stored backup could not be removed, which is tried again every few minutes: "
                                + failed.why());
        };
    }
}
