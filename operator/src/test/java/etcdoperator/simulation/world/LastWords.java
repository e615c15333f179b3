package etcdoperator.simulation.world;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.AgentReport.Contents;
import etcdoperator.agentreport.AgentReport.State;
import etcdoperator.simulation.store.FakeStore.Sidecar;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an agent says when it ends. */
final class LastWords {
    private final State state;
    private final String message;
    private final Instant now;
    private @Nullable String path;
    private @Nullable Long revision;
    private @Nullable String sha256;
    private @Nullable String version;
    private @Nullable String source;
    private @Nullable Long term;
    private @Nullable Long index;
    private @Nullable List<String> voters;
    private @Nullable Contents contents;
    private @Nullable Boolean unconfirmed;
    private @Nullable String backup;

    private LastWords(State state, String message, Instant now) {
        this.state = state;
        this.message = message;
        this.now = now;
    }

    static AgentReport failed(String why, Instant now) {
        return new LastWords(State.FAILED, why, now).report();
    }

    static LastWords completed(String message, Instant now) {
        return new LastWords(State.COMPLETED, message, now);
    }

    LastWords about(long ofRevision, @Nullable String from) {
        revision = ofRevision;
        source = from;
        sha256 = "sum";
        return this;
    }

    /** How far the log on a disk goes, and who votes by it. */
    LastWords log(long lastTerm, long lastIndex, List<String> byIt) {
        term = lastTerm;
        index = lastIndex;
        voters = byIt;
        return this;
    }

    LastWords stored(String at, Sidecar sidecar) {
        path = at;
        revision = sidecar.snapshot().revision();
        sha256 = sidecar.snapshot().sha256();
        version = sidecar.snapshot().version();
        backup = sidecar.backup();
        unconfirmed = sidecar.snapshot().confirmed() ? null : true;
        return this;
    }

    LastWords drilled(long ofRevision, long keys) {
        revision = ofRevision;
        contents = new Contents(0, 0, keys);
        return this;
    }

    AgentReport report() {
        return new AgentReport(
                state,
                message,
                path == null ? null : "s3://store/" + path,
                path,
                revision,
                null,
                null,
                null,
                sha256,
                version,
                now,
                null,
                null,
                null,
                source,
                term,
                index,
                voters,
                contents,
                unconfirmed,
                backup);
    }
}
