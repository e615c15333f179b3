package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.commandline.Flag;
import etcdoperator.commandline.FlagGroup;
import etcdoperator.store.Store;
import etcdoperator.store.StoreException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Removes an object and what is written beside it. */
public final class DeleteCommand extends AgentCommand {
    @FlagGroup
    private StoreOptions place = new StoreOptions();

    @Flag(name = "--path", required = true, description = "Of the object.")
    private String path = "";

    @Flag(name = "--sha256", description = "What the object amounts to, in hex; another one stays.")
    private @Nullable String sha256;

    @Override
    public String purpose() {
        return "Removes a stored object; one that is not there is no mistake.";
    }

    @Override
    String work(Progress progress) throws AgentException, IOException {
        progress.object(path, place.objectUrl(path).orElse(null));
        try (Store store = place.open()) {
            if (isAnothers(store)) {
                return place.name(path) + " was overwritten by another backup since, and stays";
            }
            // The object first: should this end in between, what is left says what there was.
            store.delete(path);
            store.delete(Sidecar.pathOf(path));
        }
        return place.name(path) + " is deleted";
    }

    /** Who may delete but not read is believed: nothing else can be known then. */
    private boolean isAnothers(Store store) throws IOException {
        try {
            return sha256 != null
                    && Sidecar.read(store, path)
                            .map(AgentReport::sha256)
                            .filter(written -> !written.equalsIgnoreCase(sha256))
                            .isPresent();
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.DENIED) {
                return false;
            }
            throw e;
        }
    }
}
