package etcdoperator.simulation.world;

import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.fabric.RecentWrites;
import etcdoperator.simulation.kube.FakeProbes;
import etcdoperator.simulation.kube.LaggingCache;
import etcdoperator.simulation.kube.LaggingCaches;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.kube.Watches;
import etcdoperator.simulation.kube.Wire;
import etcdoperator.simulation.kube.WiredEtcdClient;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One operator process: the real passes, woken as the real work queue would wake them. */
public final class SimulatedOperator implements OperatorProcess {
    private final String name;
    private final World world;
    private final Sabotage sabotage;
    private final LaggingCaches caches;
    private final FakeProbes probes;
    private final Wire wire;
    private final Kube kube;
    private final Wakers wakers;
    private final Passes passes;
    private final Map<String, Instant> due = new TreeMap<>();
    private boolean alive = true;
    private boolean busy;
    private Instant passBegan = Instant.EPOCH;

    public SimulatedOperator(String name, World world, Sabotage sabotage, Runnable meanwhile) {
        this.name = name;
        this.world = world;
        this.sabotage = sabotage;
        var recent = new RecentWrites(world.clock()::nanoTime);
        this.caches = new LaggingCaches(world.server(), world.nodes().disks(), recent, this::changed);
        this.wakers = new Wakers(caches, this::wake);
        this.probes = new FakeProbes(world.etcd(), world.nodes(), world.clock(), () -> wake(Passes.CLUSTER));
        this.wire = new Wire(this, world.witness(), world.trace(), meanwhile);
        this.kube = sabotage.kube(world.kube(recent, wire), world);
        this.passes = new Passes(world, sabotage, caches, kube, probes, this::connect, this::wake);
        passes.keys().forEach(this::wake);
    }

    @Override
    public LaggingCache cache() {
        return caches.clusters();
    }

    @Override
    public List<Watches> watches() {
        return caches.watches();
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
            passes.run(key)
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
        passes.keys().forEach(this::run);
    }

    private EtcdClient connect(Endpoint endpoint) {
        return sabotage.etcd(new WiredEtcdClient(probes.connect(endpoint), wire));
    }

    private void changed(HasMetadata object) {
        wakers.changed(object);
    }

    private void wake(String key) {
        due.put(key, world.clock().instant());
    }

    @Override
    public String toString() {
        return name;
    }
}
