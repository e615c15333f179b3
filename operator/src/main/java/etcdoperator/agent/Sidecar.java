package etcdoperator.agent;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ReportText;
import etcdoperator.store.Store;
import etcdoperator.store.StoreException;
import etcdoperator.store.StoreException.Kind;
import etcdoperator.store.Upload;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What is written beside an object once it is whole. Objects that others made have none. */
final class Sidecar {
    private static final int LARGEST = 64 << 10;

    /** Where an agent died after it had overwritten an object, and before it had written what belongs to it. */
    static final String CURE = "delete the record to restore by etcd's own hash alone";

    private Sidecar() {}

    static void write(Store store, String path, AgentReport report) throws StoreException {
        try (Upload upload = store.begin(pathOf(path))) {
            byte[] json = ReportText.write(report).getBytes(StandardCharsets.UTF_8);
            upload.write(json, 0, json.length);
            upload.complete();
        }
    }

    /** Empty, too, if what is there is something else. */
    static Optional<AgentReport> read(Store store, String path) throws IOException {
        try (InputStream stored = store.open(pathOf(path))) {
            return ReportText.read(new String(stored.readNBytes(LARGEST), StandardCharsets.UTF_8));
        } catch (StoreException e) {
            if (e.kind() == Kind.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    static String pathOf(String path) {
        return path + ".json";
    }
}
