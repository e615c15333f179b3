package io.improbable.etcd.cluster;

import io.fabric8.kubernetes.api.model.Condition;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdClusterStatus;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.EtcdPeerStatus;
import io.improbable.etcd.api.PeerPhase;
import io.improbable.etcd.domain.ClusterKey;
import io.improbable.etcd.domain.PeerName;
import io.improbable.etcd.etcd.Answer;
import io.improbable.etcd.etcd.Endpoint;
import io.improbable.etcd.kube.ClusterObjects;
import io.improbable.etcd.kube.Kube;
import io.improbable.etcd.kube.Kube.RefusedException;
import io.improbable.etcd.kube.Kube.StaleViewException;
import io.improbable.etcd.kube.KubeCache;
import io.improbable.etcd.kube.Notice;
import io.improbable.etcd.manifest.Addresses;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pass over one cluster: observe, plan, act, report. It never waits; what it waits for starts the next pass. */
public final class ClusterPass {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterPass.class);

    /** Nearly all that moves a cluster comes as an event; this is for what only time brings. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    private final KubeCache cache;
    private final Kube kube;
    private final Probes probes;
    private final Clock clock;

    public ClusterPass(KubeCache cache, Kube kube, Probes probes, Clock clock) {
        this.cache = cache;
        this.kube = kube;
        this.probes = probes;
        this.clock = clock;
    }

    /** What a pass needs of the prober. */
    public interface Probes {
        /** @param settled whether all is well and members need to be asked only now and then */
        void watch(ClusterKey cluster, Map<PeerName, Endpoint> members, boolean settled);

        Map<PeerName, Answer> answers(ClusterKey cluster);
    }

    /** @return when to look again, if nothing happens before */
    public Optional<Duration> run(ClusterKey key) throws StaleViewException {
        Optional<ClusterObjects> found = cache.cluster(key);
        if (found.isEmpty() || found.get().cluster().getMetadata().getDeletionTimestamp() != null) {
            probes.watch(key, Map.of(), true);
            return Optional.empty();
        }
        ClusterObjects objects = found.get();
        ClusterView view = Observer.observe(objects, probes.answers(key), clock.instant());
        Step step = Planner.next(view);
        boolean settled = step instanceof Step.Steady && view.everyPodIsReady();
        probes.watch(key, members(view), settled);
        try {
            EtcdCluster cluster = act(step, objects, view);
            report(cluster, objects, view, step);
            return settled ? Optional.empty() : Optional.of(LOOK_AGAIN);
        } catch (RefusedException e) {
            return refused(objects.cluster(), objects, view, e);
        }
    }

    private EtcdCluster act(Step step, ClusterObjects objects, ClusterView view)
            throws StaleViewException, RefusedException {
        EtcdCluster cluster = objects.cluster();
        for (Effect effect : Effects.of(step, objects, view)) {
            switch (effect) {
                case Effect.RecordOperation(Operation operation) -> {
                    var locked = withStatus(cluster, statusOf(cluster).withOperation(operation.toStatus()));
                    cluster = publish(locked, objects, Report.of(locked, view, step));
                    Notices.cautions(view.wish()).forEach(notice -> tell(objects, notice));
                }
                case Effect.Create(var object) -> kube.create(object);
                case Effect.Apply(var object) -> kube.apply(object);
                case Effect.ReplacePeer(var peer) -> kube.replace(peer);
                case Effect.Annotate(var object, var annotations) -> kube.annotate(object, annotations);
            }
            Notices.of(effect).ifPresent(notice -> tell(objects, notice));
        }
        Notices.of(step).forEach(notice -> tell(objects, notice));
        return cluster;
    }

    private void report(EtcdCluster cluster, ClusterObjects objects, ClusterView view, Step step)
            throws StaleViewException, RefusedException {
        EtcdClusterStatus before = statusOf(cluster);
        EtcdClusterStatus after = Report.of(cluster, view, step);
        if (!after.equals(before)) {
            publish(cluster, objects, after);
        }
        if (!(step instanceof Step.Seal || step instanceof Step.Adopt || step instanceof Step.Tend)) {
            // Those have just changed the peers, so that another change would meet a newer version.
            reportPeers(objects, view);
        }
    }

    private EtcdCluster publish(EtcdCluster cluster, ClusterObjects objects, EtcdClusterStatus after)
            throws StaleViewException, RefusedException {
        List<Condition> before = statusOf(cluster).conditions();
        EtcdCluster stored = kube.replaceStatus(withStatus(cluster, after));
        Notices.of(before, after.conditions()).forEach(notice -> tell(objects, notice));
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

    /** The API server will say the same until somebody acts, so people are told and time brings the next try. */
    private Optional<Duration> refused(
            EtcdCluster cluster, ClusterObjects objects, ClusterView view, RefusedException refusal)
            throws StaleViewException {
        var problem = new Problem(Problem.Kind.Refused, refusal.why());
        try {
            report(latest(cluster), objects, view, new Step.Stuck(problem));
        } catch (RefusedException e) {
            LOG.warn("Cannot report \"{}\": {}", refusal.why(), e.why());
        }
        return Optional.of(LOOK_AGAIN);
    }

    /** An operation may have been recorded before the refusal, and with it a new resource version. */
    private EtcdCluster latest(EtcdCluster cluster) {
        var key = new ClusterKey(
                cluster.getMetadata().getNamespace(), cluster.getMetadata().getName());
        return cache.cluster(key).map(ClusterObjects::cluster).orElse(cluster);
    }

    private void tell(ClusterObjects objects, Notice notice) {
        notice.log(LOG);
        kube.tell(objects.cluster(), notice);
    }

    private static Map<PeerName, Endpoint> members(ClusterView view) {
        Map<PeerName, Endpoint> members = new HashMap<>();
        for (PeerView peer : view.ownPeers()) {
            view.podOf(peer.name())
                    .flatMap(PodView::address)
                    .ifPresent(address -> members.put(peer.name(), Endpoint.plain(address, Addresses.CLIENT_PORT)));
        }
        return members;
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
