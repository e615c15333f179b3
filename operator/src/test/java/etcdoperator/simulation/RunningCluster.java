package etcdoperator.simulation;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.RecoverySpec;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.operator.FailureConditions;
import etcdoperator.operator.ReportedPass;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.world.Inventory;
import etcdoperator.simulation.world.Sabotage;
import etcdoperator.simulation.world.Setting;
import etcdoperator.simulation.world.SimulatedOperator;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** A cluster before the real passes, for tests that write into its objects and see what becomes of it. */
public final class RunningCluster {
    private static final int TRIES = 3;

    /** Nothing is lost, and nobody asks for TLS. */
    private static final Setting PLAIN =
            new Setting(true, false, Optional.empty(), false, new RecoverySpec("10s", null, "10s"));

    private final World world;
    private final Calm calm;
    private final SimulatedOperator operator;
    private final List<RuntimeException> failures = new ArrayList<>();

    private RunningCluster() {
        var dice = new Dice(1);
        this.world = new World(PLAIN, dice);
        Rules rules = Rules.watch(world, EnumSet.of(Invariant.NO_WRITE_IS_LOST, Invariant.NOTHING_EMPTY_VOTES));
        this.calm = new Calm(world, rules, dice);
        this.operator = new SimulatedOperator("operator", world, Sabotage.NONE, () -> {});
    }

    /** Three members that are well. */
    public static RunningCluster ofThree() {
        var running = new RunningCluster();
        running.world.createCluster(3);
        running.goOn();
        return running;
    }

    /** One that is made with this spec. */
    public static RunningCluster of(EtcdClusterSpec spec) {
        var running = new RunningCluster();
        var cluster = new EtcdCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withNamespace(World.KEY.namespace())
                .withName(World.KEY.name())
                .build());
        cluster.setSpec(spec);
        running.world.server().create(cluster);
        return running;
    }

    public EtcdCluster cluster() {
        return world.cluster().orElseThrow();
    }

    public List<EtcdPeer> peers() {
        return world.server().list(EtcdPeer.class);
    }

    /** As a person writes it, and whatever the API server would say. */
    public <T extends CustomResource<?, ?>> void write(T object) {
        @SuppressWarnings("unchecked")
        Class<T> kind = (Class<T>) object.getClass();
        T current = world.server().get(kind, object.getMetadata().getName()).orElseThrow();
        world.server().change(current, changed -> {
            long generation =
                    Optional.ofNullable(current.getMetadata().getGeneration()).orElse(0L) + 1;
            changed.setMetadata(new ObjectMetaBuilder(current.getMetadata())
                    .withGeneration(generation)
                    .build());
            return with(changed, object);
        });
    }

    /** Not by way of JSON, which would leave out what is empty. */
    private static <T extends HasMetadata> T with(T changed, T written) {
        written.setMetadata(changed.getMetadata());
        return written;
    }

    /** As the queue does it: a pass that fails is said, and tried again. @return whether all has come to rest */
    public boolean goOn() {
        for (int i = 0; i < TRIES; i++) {
            try {
                return calm.goOn(operator, () -> false);
            } catch (RuntimeException e) {
                failures.add(e);
                say(e);
            }
        }
        return true;
    }

    private void say(RuntimeException failure) {
        var conditions = new FailureConditions(world.clock());
        var said = new ReportedPass<ClusterKey, EtcdCluster>(
                key -> {
                    throw failure;
                },
                key -> world.cluster(),
                conditions::on,
                operator.kube());
        try {
            said.run(World.KEY);
        } catch (StaleViewException | RuntimeException e) {
            world.trace().note("a pass failed: " + e);
        }
    }

    /** What passes have failed with since this was asked last. */
    public List<RuntimeException> failures() {
        List<RuntimeException> all = List.copyOf(failures);
        failures.clear();
        return all;
    }

    public String trace() {
        return world.trace().text() + "\n" + new Inventory(world).text();
    }
}
