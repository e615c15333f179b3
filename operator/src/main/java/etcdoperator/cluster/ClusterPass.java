package etcdoperator.cluster;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdPeerStatus;
import etcdoperator.api.PeerPhase;
import etcdoperator.cluster.effect.Effect;
import etcdoperator.cluster.effect.Effects;
import etcdoperator.cluster.execute.CertificateOffice;
import etcdoperator.cluster.execute.MembershipChanger;
import etcdoperator.cluster.execute.PasswordOffice;
import etcdoperator.cluster.execute.Workshop;
import etcdoperator.cluster.observe.Observer;
import etcdoperator.cluster.status.Notices;
import etcdoperator.cluster.status.PeerReport;
import etcdoperator.cluster.status.Report;
import etcdoperator.cluster.step.Outcome;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.Clocks;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.Pace;
import etcdoperator.etcd.Probes;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.LeftClaims;
import etcdoperator.kube.Notice;
import etcdoperator.kube.ServerClock;
import etcdoperator.manifest.Labels;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pass over one cluster: observe, plan, act, report. It never waits; what it waits for starts the next pass. */
public final class ClusterPass {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterPass.class);

    /** Nearly all that moves a cluster comes as an event; this is for what only time brings. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration VERY_SOON = Duration.ofMillis(250);

    private final KubeCache cache;
    private final Kube kube;
    private final Probes probes;
    private final MembershipChanger etcd;
    private final Workshop workshop;
    private final String domain;
    private final ServerClock serverClock;
    private final Clock clock;

    /** @param domain what the names of services end in after {@code .svc} */
    public ClusterPass(
            KubeCache cache,
            Kube kube,
            Probes probes,
            MembershipChanger etcd,
            Workshop workshop,
            String domain,
            ServerClock serverClock,
            Clock clock) {
        this.cache = cache;
        this.kube = kube;
        this.probes = probes;
        this.etcd = etcd;
        this.workshop = workshop;
        this.domain = domain;
        this.serverClock = serverClock;
        this.clock = clock;
    }

    /** @return when to look again, if nothing happens before */
    public Optional<Duration> run(ClusterKey key) throws StaleViewException {
        return run(key, Planner::next);
    }

    /** Does nothing, and says why. */
    public Optional<Duration> hold(ClusterKey key, Problem problem) throws StaleViewException {
        return run(key, view -> new Outcome.Stuck(problem));
    }

    private Optional<Duration> run(ClusterKey key, Function<ClusterView, Step> planner) throws StaleViewException {
        Optional<ClusterObjects> found = cache.cluster(key);
        if (found.isEmpty() || found.get().cluster().getMetadata().getDeletionTimestamp() != null) {
            probes.watch(key, Map.of(), Pace.CALM);
            workshop.forget(key);
            return LeftClaims.protect(cache.claimsOf(key), kube) ? Optional.empty() : Optional.of(LOOK_AGAIN);
        }
        ClusterObjects objects = found.get();
        var observer = new Observer(objects, domain, new Clocks(clock.instant(), serverClock.now()));
        Map<PeerName, Answer> answers = probes.answers(key, observer.endpoints());
        ClusterView view = observer.view(answers, workshop.done(key));
        Step step = planner.apply(view);
        boolean settled = step instanceof Outcome.Steady && view.everyPodIsReady();
        probes.watch(key, new MemberContacts(objects, view).endpoints(), Timetable.pace(view, settled));
        try {
            EtcdCluster cluster = act(step, objects, view);
            report(cluster, objects, view, step);
            return settled ? Timetable.next(view) : Optional.of(Timetable.within(LOOK_AGAIN, view));
        } catch (RefusedException e) {
            return instead(new Outcome.Stuck(new Problem(Problem.Kind.Refused, e.why())), LOOK_AGAIN, objects, view);
        } catch (EtcdException e) {
            probes.askAgain(key);
            return insteadOf(step, e, objects, view);
        }
    }

    private EtcdCluster act(Step step, ClusterObjects objects, ClusterView view)
            throws StaleViewException, RefusedException, EtcdException {
        EtcdCluster cluster = objects.cluster();
        for (Effect effect : Effects.of(step, objects, view)) {
            switch (effect) {
                case Effect.RecordOperation(Operation operation) -> {
                    var locked = withStatus(cluster, statusOf(cluster).withOperation(operation.toStatus()));
                    cluster = publish(locked, objects, Report.of(locked, view, step));
                    if (operation.followsAWish()) {
                        Notices.cautions(view.wish()).forEach(notice -> tell(objects, notice));
                    }
                }
                case Effect.Announce announced -> {}
                case Effect.Create(var object) -> kube.create(object);
                case Effect.Apply(var object) -> kube.apply(object);
                case Effect.ReplacePeer(var peer) -> kube.replace(peer);
                case Effect.Annotate(var object, var annotations) -> kube.annotate(object, annotations);
                case Effect.Mark(var claim, var mark) -> kube.mark(claim, mark);
                case Effect.Label(var object, var labels) -> kube.label(object, labels);
                case Effect.Resize(var claim, var storage) -> kube.resize(claim, storage);
                case Effect.Delete(var object) -> kube.delete(object);
                case Effect.RequireLossAsSeen() -> kube.requireAsSeen(objects);
                case Effect.ConfirmMembers(var planned) ->
                    etcd.confirm(new MemberContacts(objects, view).spokesman(), planned);
                case Effect.ChangeMembers(var planned, var change) -> {
                    etcd.carryOut(new MemberContacts(objects, view).spokesman(), planned, change);
                    probes.askAgain(view.wish().key());
                }
                case Effect.Issue(var issuance) ->
                    new CertificateOffice(objects, clock.instant()).carryOut(issuance, kube);
                case Effect.MakePassword(String secret, String user) ->
                    new PasswordOffice(objects).make(secret, user, kube);
                case Effect.ForgetPassword(String secret, String user) ->
                    new PasswordOffice(objects).forget(secret, user, kube);
                case Effect.TellEtcd(var order) -> {
                    etcd.tell(new MemberContacts(objects, view).spokesman(), order);
                    probes.askAgain(view.wish().key());
                }
                case Effect.Begin(var chore) ->
                    workshop.begin(view.wish().key(), chore, new MemberContacts(objects, view).all());
            }
            Notices.of(effect).ifPresent(notice -> tell(objects, notice));
        }
        Notices.of(step).forEach(notice -> tell(objects, notice));
        return cluster;
    }

    private void report(EtcdCluster cluster, ClusterObjects objects, ClusterView view, Step step)
            throws StaleViewException, RefusedException {
        EtcdClusterStatus after = Report.of(cluster, view, step);
        if (!after.equals(statusOf(cluster))) {
            publish(cluster, objects, after);
        }
        boolean changedPeers = Effects.of(step, objects, view).stream()
                .anyMatch(effect -> effect instanceof Effect.ReplacePeer
                        || effect instanceof Effect.Delete
                        || effect instanceof Effect.Create);
        if (!changedPeers) {
            // Else another change would meet a newer version.
            reportPeers(objects, view);
        }
    }

    private EtcdCluster publish(EtcdCluster cluster, ClusterObjects objects, EtcdClusterStatus after)
            throws StaleViewException, RefusedException {
        EtcdCluster stored = kube.replaceStatus(withStatus(cluster, after));
        Notices.of(statusOf(cluster).conditions(), after.conditions()).forEach(notice -> tell(objects, notice));
        Notices.ofVersions(statusOf(cluster).members(), after.members()).forEach(notice -> tell(objects, notice));
        return stored;
    }

    private void reportPeers(ClusterObjects objects, ClusterView view) throws StaleViewException, RefusedException {
        for (PeerView peer : view.ownPeers()) {
            for (EtcdPeer object : objects.peers()) {
                if (object.getMetadata().getName().equals(peer.name().toString())) {
                    var status = PeerReport.of(peer, object.getStatus(), view);
                    if (!status.equals(object.getStatus()) && !isFleeting(status, view)) {
                        kube.replaceStatus(withStatus(object, status));
                    }
                }
            }
        }
    }

    /** While members start, they pass through phases too quickly to be worth writing down. */
    private static boolean isFleeting(EtcdPeerStatus status, ClusterView view) {
        return status.phase() != PeerPhase.RUNNING && view.hasJustBegun();
    }

    /** etcd did not do it: it asks for a moment, does not answer, or has other members by now. */
    private Optional<Duration> insteadOf(Step step, EtcdException failure, ClusterObjects objects, ClusterView view)
            throws StaleViewException {
        return switch (failure.kind()) {
            case CHANGED -> throw new StaleViewException(failure.why());
            case NOT_YET -> instead(new Outcome.Wait(step.reason() + "; " + failure.why()), VERY_SOON, objects, view);
            case NO_ANSWER -> instead(new Outcome.Wait(step.reason() + "; " + failure.why()), SOON, objects, view);
            case REFUSED, NO_ACCESS ->
                instead(
                        new Outcome.Stuck(new Problem(
                                Problem.Kind.Refused, step.reason() + ", but etcd refuses: " + failure.why())),
                        LOOK_AGAIN,
                        objects,
                        view);
        };
    }

    /** What was planned could not be done: people are told, and time brings the next try. */
    private Optional<Duration> instead(Step outcome, Duration next, ClusterObjects objects, ClusterView view)
            throws StaleViewException {
        try {
            report(latest(objects.cluster()), objects, view, outcome);
        } catch (RefusedException e) {
            LOG.warn("Cannot report \"{}\": {}", outcome.reason(), e.why());
        }
        return Optional.of(next);
    }

    /** An operation may have been recorded before the refusal, and with it a new resource version. */
    private EtcdCluster latest(EtcdCluster cluster) {
        return cache.cluster(Labels.keyOf(cluster)).map(ClusterObjects::cluster).orElse(cluster);
    }

    private void tell(ClusterObjects objects, Notice notice) {
        notice.log(LOG);
        kube.tell(objects.cluster(), notice);
    }

    private static EtcdClusterStatus statusOf(EtcdCluster cluster) {
        return Objects.requireNonNullElse(cluster.getStatus(), EtcdClusterStatus.EMPTY);
    }

    private static EtcdCluster withStatus(EtcdCluster cluster, EtcdClusterStatus status) {
        var changed = new EtcdCluster();
        changed.setMetadata(cluster.getMetadata());
        changed.setSpec(cluster.getSpec());
        changed.setStatus(status);
        return changed;
    }

    private static EtcdPeer withStatus(EtcdPeer peer, EtcdPeerStatus status) {
        var changed = new EtcdPeer();
        changed.setMetadata(peer.getMetadata());
        changed.setSpec(peer.getSpec());
        changed.setStatus(status);
        return changed;
    }
}
