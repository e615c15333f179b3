package etcdoperator.simulation.world;

import etcdoperator.agentreport.ExitCodes;
import etcdoperator.simulation.kube.AgentRun;
import etcdoperator.simulation.store.StoredSnapshot;
import java.util.Optional;

/** Fetches a backup, restores it and reads it, as the containers of a drill do. */
final class DrillAgent implements AgentRun {
    private final World world;
    private final AgentFlags fetch;
    private final AgentFlags drill;
    private Optional<StoredSnapshot> fetched = Optional.empty();

    DrillAgent(World world, AgentFlags fetch, AgentFlags drill) {
        this.world = world;
        this.fetch = fetch;
        this.drill = drill;
    }

    @Override
    public Optional<Ended> step() {
        if (fetched.isEmpty()) {
            fetched = world.store()
                    .object(fetch.get("path"))
                    .filter(object -> object.sha256().equals(fetch.get("sha256")));
            return fetched.isPresent() ? Optional.empty() : failed(fetch.get("path") + " is not the one recorded");
        }
        StoredSnapshot snapshot = fetched.get();
        return snapshot.revision() == Long.parseLong(drill.get("revision"))
                ? Optional.of(new Ended(
                        ExitCodes.DONE,
                        LastWords.completed("it holds what it should", world.clock().instant())
                                .drilled(
                                        snapshot.revision(), snapshot.values().size())
                                .report()))
                : failed("it is of another revision");
    }

    private Optional<Ended> failed(String why) {
        return Optional.of(new Ended(
                ExitCodes.FATAL, LastWords.failed(why, world.clock().instant())));
    }
}
