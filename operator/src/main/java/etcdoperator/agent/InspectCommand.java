package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.commandline.Flag;
import etcdoperator.commandline.FlagGroup;
import etcdoperator.store.Store;
import java.io.IOException;
import java.util.Optional;

/** Says what an object is, by what is written beside it and its first bytes, and whether it can be read. */
public final class InspectCommand extends AgentCommand {
    @FlagGroup
    private StoreOptions place = new StoreOptions();

    @Flag(name = "--path", required = true, description = "Of the object.")
    private String path = "";

    @Override
    public String purpose() {
        return "Says what a stored object is, without reading all of it.";
    }

    @Override
    String work(Progress progress) throws AgentException, IOException {
        try (Store store = place.open()) {
            ObjectReader object = ObjectReader.of(store, place, path, progress);
            String form = object.look(progress, InspectCommand::described);
            // Asked for after it was opened, so that it is there.
            long size = object.stat().orElseThrow().sizeBytes();
            progress.storedBytes(size);
            checkSize(object, size);
            return object.name() + " is " + form;
        }
    }

    private void checkSize(ObjectReader object, long size) throws AgentException {
        Optional<Long> written = object.sidecar().map(AgentReport::storedBytes);
        if (written.isPresent() && written.get() != size) {
            throw AgentException.fatal(object.name() + " is not whole, or the record beside it, " + Sidecar.pathOf(path)
                    + ", is of another object: it has " + size + " bytes, and " + written.get()
                    + " are recorded; if another one was stored there since, " + Sidecar.CURE);
        }
    }

    private static String described(StoredForm form) {
        return "a snapshot of etcd"
                + (form.compression() == Compression.NONE ? "" : ", compressed")
                + (form.encrypted() ? ", encrypted with the key given" : "");
    }
}
