package etcdoperator.exploration;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.exploration.Ending.Kind;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.kube.FakeNodes;
import etcdoperator.simulation.kube.Watches;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Brings faults upon a scene, and ends them. */
final class Troublemaker {
    /** Long enough for a member to be replaced. */
    private static final Duration NODE = Duration.ofSeconds(40);

    private static final Duration WATCH = Duration.ofSeconds(20);

    /** Longer than the operator's lease. */
    private static final Duration SERVER = Duration.ofSeconds(20);

    /** Those whose news the operator's judgement of members and data rests on, and all of them at once. */
    private static final List<Class<? extends HasMetadata>> WATCHED =
            List.of(EtcdCluster.class, EtcdPeer.class, PersistentVolumeClaim.class, Pod.class);

    private static final String EVERY = "every";

    private final Scene scene;
    private final World world;
    private final Targets targets;

    Troublemaker(Scene scene) {
        this.scene = scene;
        this.world = scene.world();
        this.targets = new Targets(world);
    }

    /** @param ofRequest whether there is a request that can be lost */
    List<Fault> possible(boolean ofRequest) {
        List<Fault> all = new ArrayList<>();
        for (String target : targets.all().keySet()) {
            for (Fault.Kind kind : Fault.Kind.values()) {
                if (isPossible(kind, target)) {
                    all.add(new Fault(kind, target));
                }
            }
        }
        if (scene.operator().isAlive()) {
            all.add(Fault.of(Fault.Kind.OPERATOR_CRASH));
            all.add(Fault.of(Fault.Kind.OPERATOR_PAUSED));
            WATCHED.forEach(kind -> all.add(new Fault(Fault.Kind.STALE_CACHE, kind.getSimpleName())));
            all.add(new Fault(Fault.Kind.STALE_CACHE, EVERY));
        }
        if (!world.server().isFrozen()) {
            all.add(Fault.of(Fault.Kind.SERVER_FROZEN));
            new Expiry(world).secrets().forEach(name -> all.add(new Fault(Fault.Kind.CERTIFICATE_EXPIRED, name)));
            Wish.possible(scene).forEach(wish -> all.add(new Fault(Fault.Kind.SPEC_CHANGED, wish)));
        }
        if (ofRequest) {
            all.add(Fault.of(Fault.Kind.LOST_REQUEST));
            all.add(Fault.of(Fault.Kind.LOST_ANSWER));
        }
        return all;
    }

    private boolean isPossible(Fault.Kind kind, String target) {
        PersistentVolumeClaim claim = targets.claim(target).orElseThrow();
        return switch (kind) {
            case POD_DELETED ->
                !world.server().isFrozen() && !targets.pods(claim).isEmpty();
            case DISK_LOST -> !world.server().isFrozen();
            case PROCESS_KILLED -> targets.process(claim).isPresent();
            case VOLUME_EMPTIED -> world.nodes().volume(claim).data().isPresent();
            case NODE_OFF, NODE_LOST, PARTITION ->
                targets.node(claim).filter(world.nodes()::isUp).isPresent();
            case OPERATOR_CRASH,
                    OPERATOR_PAUSED,
                    STALE_CACHE,
                    LOST_REQUEST,
                    LOST_ANSWER,
                    SERVER_FROZEN,
                    CERTIFICATE_EXPIRED,
                    SPEC_CHANGED -> false;
        };
    }

    void befall(Fault fault) {
        world.trace().note("fault: " + fault);
        switch (fault.kind()) {
            case POD_DELETED -> pods(fault, world.controllers()::delete);
            case PROCESS_KILLED -> claim(fault, claim -> targets.process(claim).ifPresent(EtcdProcess::kill));
            case DISK_LOST -> claim(fault, this::loseDisk);
            case VOLUME_EMPTIED ->
                claim(fault, claim -> {
                    targets.process(claim).ifPresent(EtcdProcess::kill);
                    world.nodes().volume(claim).empty();
                });
            case NODE_OFF -> node(fault, node -> away(node, FakeNodes.State.DOWN));
            case NODE_LOST -> node(fault, node -> world.nodes().declareDead(node, false));
            case PARTITION -> node(fault, node -> away(node, FakeNodes.State.CUT_OFF));
            case OPERATOR_CRASH -> scene.crash();
            case OPERATOR_PAUSED -> scene.pause();
            case STALE_CACHE -> stall(fault.target());
            case SERVER_FROZEN -> freeze();
            case CERTIFICATE_EXPIRED -> new Expiry(world).expire(fault.target());
            case SPEC_CHANGED -> Wish.change(scene, fault.target());
            case LOST_REQUEST, LOST_ANSWER -> throw new IllegalStateException(fault + " outside of a request");
        }
    }

    /** As {@code kubectl delete pvc --wait=false} does, and {@code kubectl delete pod --grace-period=0 --force} after it. */
    void loseDisk(PersistentVolumeClaim claim) {
        world.controllers().delete(claim);
        targets.pods(claim).forEach(world.server()::remove);
    }

    private void claim(Fault fault, Consumer<PersistentVolumeClaim> change) {
        targets.claim(fault.target()).ifPresent(change);
    }

    private void pods(Fault fault, Consumer<Pod> change) {
        claim(fault, claim -> targets.pods(claim).forEach(change));
    }

    private void node(Fault fault, Consumer<String> change) {
        claim(fault, claim -> targets.node(claim).ifPresent(change));
    }

    private void away(String node, FakeNodes.State state) {
        world.nodes().set(node, state);
        scene.endsIn(NODE, Kind.NODE_IS_BACK, node);
    }

    private void stall(String target) {
        for (Watches watches : scene.operator().watches()) {
            watches.kinds().stream()
                    .filter(kind -> target.equals(EVERY) || kind.getSimpleName().equals(target))
                    .forEach(watches::stall);
        }
        scene.endsIn(WATCH, Kind.WATCHES_ARE_BACK, "");
    }

    private void freeze() {
        world.server().freeze(true);
        scene.endsIn(SERVER, Kind.SERVER_THAWS, "");
    }

    void end(Ending ending) {
        world.trace().note("end: " + ending.kind() + " " + ending.what());
        switch (ending.kind()) {
            case NODE_IS_BACK -> {
                if (!world.nodes().isDeclaredDead(ending.what())) {
                    world.nodes().set(ending.what(), FakeNodes.State.UP);
                }
            }
            case WATCHES_ARE_BACK -> scene.operator().watches().forEach(Watches::unstall);
            case SERVER_THAWS -> {
                world.server().freeze(false);
                scene.crash();
            }
            case OPERATOR_STARTS -> {
                if (world.server().isFrozen()) {
                    scene.endsIn(Scene.SECOND, Kind.OPERATOR_STARTS, "");
                } else {
                    scene.restart();
                }
            }
        }
    }
}
