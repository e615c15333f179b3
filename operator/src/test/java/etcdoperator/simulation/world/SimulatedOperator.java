package etcdoperator.simulation.world;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.cluster.ClusterPass;
import etcdoperator.cluster.execute.MembershipChanger;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.KubeCache.PeerKey;
import etcdoperator.kube.fabric.RecentWrites;
import etcdoperator.manifest.Addresses.IpFamily;
import etcdoperator.manifest.AnyAgents;
import etcdoperator.manifest.Labels;
import etcdoperator.peer.PeerPass;
import etcdoperator.restore.RestorePass;
import etcdoperator.simulation.kube.FakeProbes;
import etcdoperator.simulation.kube.LaggingCache;
import etcdoperator.simulation.kube.LaggingRestores;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.kube.Watches;
import etcdoperator.simulation.kube.Wire;
import etcdoperator.simulation.kube.WiredEtcdClient;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One operator process: the real passes, woken as the real work queue would wake them. */
public final class SimulatedOperator implements OperatorProcess {
    private static final String CLUSTER = "cluster";
    private static final String RESTORE = "restore/";

    private final String name;
    private final World world;
    private final Sabotage sabotage;
    private final LaggingCache cache;
    private final LaggingRestores restores;
    private final FakeProbes probes;
    private final Wire wire;
    private final Kube kube;
    private final ClusterPass clusterPass;
    private final PeerPass peerPass;
    private final RestorePass restorePass;
    private final Map<String, Instant> due = new TreeMap<>();
    private boolean alive = true;
    private boolean busy;
    private Instant passBegan = Instant.EPOCH;

    public SimulatedOperator(String name, World world, Sabotage sabotage, Runnable meanwhile) {
        this.name = name;
        this.world = world;
        this.sabotage = sabotage;
        var recent = new RecentWrites(world.clock()::nanoTime);
        this.cache = new LaggingCache(world.server(), recent, world.nodes().disks(), this::neighbours, this::changed);
        this.restores = new LaggingRestores(world.server(), recent, cache::namesakes, this::changed);
        this.probes = new FakeProbes(world.etcd(), world.nodes(), world.clock(), () -> wake(CLUSTER));
        this.wire = new Wire(this, world.witness(), world.trace(), meanwhile);
        this.kube = sabotage.kube(world.kube(recent, wire), world);
        KubeCache seen = sabotage.cache(cache);
        this.clusterPass = new ClusterPass(
                seen,
                kube,
                sabotage.probes(probes),
                new MembershipChanger(this::connect),
                new FakeWorkshop(world, () -> wake(CLUSTER)),
                "cluster.local",
                () -> Optional.of(world.clock().instant()),
                world.clock());
        this.peerPass = new PeerPass(seen, kube, IpFamily.IPV4);
        this.restorePass =
                new RestorePass(sabotage.restores(restores), kube, AnyAgents.of("operator"), false, world.clock());
        cache.all(EtcdCluster.class).forEach(this::changed);
        cache.all(EtcdPeer.class).forEach(this::changed);
        restores.watches().all(EtcdRestore.class).forEach(this::changed);
    }

    @Override
    public LaggingCache cache() {
        return cache;
    }

    @Override
    public List<Watches> watches() {
        return List.of(cache.watches(), restores.watches());
    }

    private LaggingCache.Neighbours neighbours(ClusterKey key) {
        return restores.of(key);
    }

    @Override
    public FakeProbes probes() {
        return probes;
    }

    public Wire wire() {
        return wire;
    }

    Kube kube() {
        return kube;
    }

    boolean isAlive() {
        return alive;
    }

    void stop() {
        alive = false;
    }

    @Override
    public void requireAlive() {
        if (!alive) {
            throw new Wire.Crash();
        }
    }

    public List<String> dueNow() {
        return due.entrySet().stream()
                .filter(entry -> !entry.getValue().isAfter(world.clock().instant()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Runs one pass, whether it was called for or not. */
    public void run(String key) {
        due.remove(key);
        busy = true;
        passBegan = world.clock().instant();
        try {
            pass(key)
                    .ifPresent(later ->
                            due.putIfAbsent(key, world.clock().instant().plus(later)));
        } catch (StaleViewException e) {
            world.trace().note(this + ": looks again at " + key + ": " + e.getMessage());
            due.putIfAbsent(key, world.clock().instant().plusMillis(200));
        } catch (Wire.Broken e) {
            due.putIfAbsent(key, world.clock().instant().plusSeconds(1));
        } catch (Wire.Crash e) {
            world.trace().note(this + " is dead");
            alive = false;
        } finally {
            busy = false;
        }
    }

    /** Frozen in the middle of a pass. */
    boolean isBusy() {
        return busy;
    }

    @Override
    public Instant passBegan() {
        return passBegan;
    }

    List<String> passes() {
        return List.copyOf(due.keySet());
    }

    /** One pass over everything, called for or not. */
    public void runAll() {
        run(CLUSTER);
        cache.all(EtcdPeer.class).forEach(peer -> run(peer.getMetadata().getName()));
        restores.watches()
                .all(EtcdRestore.class)
                .forEach(restore -> run(RESTORE + restore.getMetadata().getName()));
    }

    private Optional<Duration> pass(String key) throws StaleViewException {
        if (key.startsWith(RESTORE)) {
            return restorePass.run(new ObjectKey(World.KEY.namespace(), key.substring(RESTORE.length())));
        }
        return key.equals(CLUSTER) ? clusterPass.run(World.KEY) : peerPass.run(new PeerKey(World.KEY.namespace(), key));
    }

    private EtcdClient connect(Endpoint endpoint) {
        return sabotage.etcd(new WiredEtcdClient(probes.connect(endpoint), wire));
    }

    private void changed(HasMetadata object) {
        if (object instanceof EtcdRestore || object instanceof EtcdBackup) {
            // Whoever waits for one of these has read it under its own name.
            restores.watches()
                    .all(EtcdRestore.class)
                    .forEach(restore -> wake(RESTORE + restore.getMetadata().getName()));
            wake(CLUSTER);
            return;
        }
        Optional.ofNullable(object.getMetadata().getLabels().get(Labels.RESTORE))
                .ifPresent(restore -> wake(RESTORE + restore));
        if (object instanceof EtcdPeer || object instanceof ReplicaSet) {
            wake(object.getMetadata().getName());
        }
        if (object instanceof EtcdCluster
                || object instanceof Node
                || World.KEY.name().equals(object.getMetadata().getLabels().get(Labels.CLUSTER))) {
            wake(CLUSTER);
        }
    }

    private void wake(String key) {
        due.put(key, world.clock().instant());
    }

    @Override
    public String toString() {
        return name;
    }
}
