package etcdoperator.simulation.world;

import etcdoperator.agentreport.ExitCodes;
import etcdoperator.simulation.kube.AgentRun;
import etcdoperator.simulation.store.FakeStore.Sidecar;
import etcdoperator.simulation.store.StoredSnapshot;
import java.util.Optional;
import java.util.function.Supplier;

/** Takes a snapshot, stores it, and writes the record beside it, as BackupCommand does. */
final class BackupAgent implements AgentRun {
    private final World world;
    private final AgentFlags flags;
    private final String path;
    private final Supplier<Optional<StoredSnapshot>> source;
    private final boolean heedless;
    private Optional<StoredSnapshot> snapshot = Optional.empty();
    private boolean stored;

    /** @param source empty if nobody answers @param heedless whether it looks at what is stored already */
    BackupAgent(World world, AgentFlags flags, Supplier<Optional<StoredSnapshot>> source, boolean heedless) {
        this.world = world;
        this.flags = flags;
        this.path = path(flags);
        this.source = source;
        this.heedless = heedless;
    }

    private static String path(AgentFlags flags) {
        return flags.get("path")
                .replace("{namespace}", flags.get("namespace"))
                .replace("{cluster}", flags.get("cluster"))
                .replace("{time}", flags.get("time"))
                .replace("{uid}", flags.get("uid"));
    }

    @Override
    public Optional<Ended> step() {
        Optional<Sidecar> earlier = earlier();
        if (earlier.isPresent()) {
            return said(earlier.get());
        }
        if (snapshot.isEmpty()) {
            snapshot = source.get();
            return snapshot.isPresent() ? Optional.empty() : unanswered();
        }
        if (!stored) {
            stored = true;
            world.witness().stored(path, snapshot.get());
            world.store().put(path, snapshot.get());
            world.trace().note("agent: " + path + " is stored, with " + snapshot.get());
            return Optional.empty();
        }
        var sidecar = new Sidecar(flags.get("uid"), snapshot.get());
        world.store().describe(path, sidecar);
        return said(sidecar);
    }

    private Optional<Sidecar> earlier() {
        return heedless
                ? Optional.empty()
                : world.store()
                        .sidecar(path)
                        .filter(sidecar -> sidecar.backup().equals(flags.get("uid")))
                        .filter(sidecar -> world.store().object(path).equals(Optional.of(sidecar.snapshot())));
    }

    private Optional<Ended> said(Sidecar sidecar) {
        return Optional.of(new Ended(
                ExitCodes.DONE,
                LastWords.completed("stored", world.clock().instant())
                        .stored(path, sidecar)
                        .report()));
    }

    private Optional<Ended> unanswered() {
        return Optional.of(new Ended(
                ExitCodes.UNANSWERED,
                LastWords.failed("no member gives a snapshot", world.clock().instant())));
    }
}
