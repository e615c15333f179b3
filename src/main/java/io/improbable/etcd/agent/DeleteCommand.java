package io.improbable.etcd.agent;

import io.improbable.etcd.store.Store;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Removes an object and what is written beside it. */
@Command(
        name = "delete",
        description = "Removes a stored object; one that is not there is no mistake.",
        mixinStandardHelpOptions = true)
public final class DeleteCommand extends AgentCommand {
    @Mixin
    private StoreOptions place = new StoreOptions();

    @Option(names = "--path", required = true, description = "Of the object.")
    private String path = "";

    @Override
    String work(Progress progress) throws AgentException, IOException {
        progress.object(path, place.objectUrl(path).orElse(null));
        try (Store store = place.open(environment())) {
            // The object first: should this end in between, what is left says what there was.
            store.delete(path);
            store.delete(Sidecar.pathOf(path));
        }
        return place.name(path) + " is deleted";
    }
}
