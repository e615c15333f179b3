package etcdoperator.simulation.world;

import etcdoperator.agentreport.ExitCodes;
import etcdoperator.simulation.kube.AgentRun;
import java.util.Optional;

/** Removes an object and the record beside it, as DeleteCommand does. */
final class EraseAgent implements AgentRun {
    private final World world;
    private final String path;
    private final Optional<String> sha256;

    EraseAgent(World world, AgentFlags flags) {
        this.world = world;
        this.path = flags.get("path");
        this.sha256 = flags.find("sha256");
    }

    @Override
    public Optional<Ended> step() {
        boolean anothers = sha256.isPresent()
                && world.store()
                        .sidecar(path)
                        .filter(sidecar -> !sidecar.snapshot().sha256().equals(sha256.get()))
                        .isPresent();
        if (anothers) {
            return done(path + " was overwritten by another backup since, and stays");
        }
        if (world.store().object(path).isPresent()) {
            world.store().object(path).ifPresent(snapshot -> world.witness().erased(path, snapshot));
            world.store().remove(path);
            world.trace().note("agent: " + path + " is removed");
            return Optional.empty();
        }
        world.store().forget(path);
        return done(path + " is deleted");
    }

    private Optional<Ended> done(String message) {
        return Optional.of(new Ended(
                ExitCodes.DONE,
                LastWords.completed(message, world.clock().instant()).report()));
    }
}
