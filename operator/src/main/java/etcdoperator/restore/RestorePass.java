package etcdoperator.restore;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.LeftClaims;
import etcdoperator.kube.Notice;
import etcdoperator.kube.RestoreCache;
import etcdoperator.kube.RestoreCache.RestoreObjects;
import etcdoperator.manifest.AgentSetup;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pass over one restore: observe, plan, act, report. One step a pass; every one of them can be repeated. */
public final class RestorePass {
    private static final Logger LOG = LoggerFactory.getLogger(RestorePass.class);

    /** What a restore does itself is seen at once. */
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    /** Events tell of most things; what they leave out is seen then. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

    private static final Duration TRY_AGAIN = Duration.ofSeconds(10);

    /** What a finished restore leaves to do is in nobody's way. */
    private static final Duration TIDY_AGAIN = Duration.ofMinutes(5);

    private final RestoreCache cache;
    private final Kube kube;
    private final AgentSetup setup;
    private final boolean tlsByDefault;
    private final Clock clock;

    /** @param tlsByDefault whether new clusters get TLS unasked */
    public RestorePass(RestoreCache cache, Kube kube, AgentSetup setup, boolean tlsByDefault, Clock clock) {
        this.cache = cache;
        this.kube = kube;
        this.setup = setup;
        this.tlsByDefault = tlsByDefault;
        this.clock = clock;
    }

    /** @return when to look again, if nothing happens before */
    public Optional<Duration> run(ObjectKey key) throws StaleViewException {
        boolean safe = LeftClaims.protect(LeftClaims.withoutCluster(cache.claimsOf(key)), kube);
        Optional<RestoreObjects> found = cache.restore(key);
        if (found.isEmpty()) {
            return safe ? Optional.empty() : Optional.of(TIDY_AGAIN);
        }
        RestoreObjects objects = found.get();
        var observer = new Observer(objects);
        RestoreView view = observer.view(tlsByDefault, setup.endpoints(), clock.instant());
        Step step = Planner.next(view);
        try {
            new Deeds(objects, observer, kube, setup).carryOut(step);
            return report(objects.restore(), view, step);
        } catch (RefusedException e) {
            return hold(objects.restore(), view, e.why());
        }
    }

    private Optional<Duration> report(EtcdRestore restore, RestoreView view, Step step)
            throws StaleViewException, RefusedException {
        return switch (step) {
            case Step.Rest() -> Optional.empty();
            case Step.Wait wait -> {
                publish(restore, Report.of(view, wait, generation(restore), clock.instant()));
                yield Optional.of(LOOK_AGAIN);
            }
            // These change the object itself, so that its status could not be replaced any more, or come after its end.
            case Step.Hold s -> told(restore, step);
            case Step.Correct s -> told(restore, step);
            case Step.NoteVoters s -> told(restore, step);
            case Step.Forget s -> told(restore, step);
            case Step.LetGo s -> told(restore, step);
            case Step.Dismiss s -> told(restore, step);
            case Step.Discard s -> told(restore, step);
            case Step.Raise s when view.deleted() || view.status().hasEnded() -> told(restore, step);
            case Step.Remember s when view.status().hasEnded() -> told(restore, step);
            case Step.PutBack s when view.status().hasEnded() -> told(restore, step);
            case Step.Choose s -> written(restore, view, step);
            case Step.Inspect s -> written(restore, view, step);
            case Step.Settle s -> written(restore, view, step);
            case Step.MakeClaim s -> written(restore, view, step);
            case Step.Survey s -> written(restore, view, step);
            case Step.SurveyVoters s -> written(restore, view, step);
            case Step.LookAgain s -> written(restore, view, step);
            case Step.Fill s -> written(restore, view, step);
            case Step.HandOver s -> written(restore, view, step);
            case Step.MakeCluster s -> written(restore, view, step);
            case Step.Enter s -> written(restore, view, step);
            case Step.Disown s -> written(restore, view, step);
            case Step.LayDown s -> written(restore, view, step);
            case Step.ListOld s -> written(restore, view, step);
            case Step.SetAside s -> written(restore, view, step);
            case Step.PutBack s -> written(restore, view, step);
            case Step.Remember s -> written(restore, view, step);
            case Step.Raise s -> written(restore, view, step);
            case Step.Complete s -> written(restore, view, step);
            case Step.Fail s -> written(restore, view, step);
        };
    }

    private Optional<Duration> written(EtcdRestore restore, RestoreView view, Step step)
            throws StaleViewException, RefusedException {
        publish(restore, Report.of(view, step, generation(restore), clock.instant()));
        return told(restore, step);
    }

    private Optional<Duration> told(EtcdRestore restore, Step step) {
        Notice notice = step instanceof Step.Fail(String why)
                ? Notice.warning("RestoreFailed", why)
                : Notice.normal(word(step), step.reason());
        tell(restore, notice);
        return Optional.of(AT_ONCE);
    }

    private void tell(EtcdRestore restore, Notice notice) {
        notice.log(LOG);
        kube.tell(restore, notice);
    }

    private static String word(Step step) {
        return step instanceof Step.Complete
                ? "RestoreCompleted"
                : step.getClass().getSimpleName();
    }

    /** The API server said no: people are told, and time brings the next try. */
    private Optional<Duration> hold(EtcdRestore restore, RestoreView view, String why) throws StaleViewException {
        if (view.status().hasEnded()) {
            // Its status stays as it ended: whatever says that it is under way would have it done again.
            tell(restore, Notice.warning("Refused", why));
            return Optional.of(TIDY_AGAIN);
        }
        try {
            publish(restore, Report.of(view, new Step.Wait(why), generation(restore), clock.instant()));
        } catch (RefusedException e) {
            LOG.warn("Cannot report \"{}\": {}", why, e.why());
        }
        return Optional.of(TRY_AGAIN);
    }

    private void publish(EtcdRestore restore, EtcdRestoreStatus after) throws StaleViewException, RefusedException {
        if (!after.equals(restore.getStatus())) {
            var changed = new EtcdRestore();
            changed.setMetadata(restore.getMetadata());
            changed.setSpec(restore.getSpec());
            changed.setStatus(after);
            kube.replaceStatus(changed);
        }
    }

    private static Long generation(EtcdRestore restore) {
        return restore.getMetadata().getGeneration();
    }
}
