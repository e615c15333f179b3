package etcdoperator.agent;

import etcdoperator.agent.disk.DiskSurvey;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.AgentReport.Contents;
import etcdoperator.agentreport.AgentReport.State;
import etcdoperator.domain.MemberId;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What is known of the work so far. One thread works, others ask how far it is. */
public final class Progress {
    private @Nullable String objectUrl;
    private @Nullable String path;
    private @Nullable Long revision;
    private @Nullable Long sizeBytes;
    private @Nullable Long storedBytes;
    private @Nullable LongSupplier transferred;
    private @Nullable String sha256;
    private @Nullable String etcdVersion;
    private @Nullable Instant time;
    private @Nullable String compression;
    private @Nullable Boolean encrypted;
    private @Nullable String clusterId;
    private @Nullable String source;
    private @Nullable Long term;
    private @Nullable Long index;
    private @Nullable List<String> voters;
    private @Nullable Contents contents;

    synchronized void object(String ofPath, @Nullable String url) {
        path = ofPath;
        objectUrl = url;
    }

    synchronized void form(Compression used, boolean isEncrypted) {
        compression = used.toString();
        encrypted = isEncrypted;
    }

    synchronized void taken(Instant at, Source from) {
        time = at;
        etcdVersion = from.version();
        clusterId = from.clusterId().orElse(null);
        source = from.place();
    }

    synchronized void surveyed(String claim, DiskSurvey disk) {
        source = claim;
        time = disk.written();
        term = disk.last().term();
        index = disk.last().index();
        voters = voters(disk);
    }

    /** Their ids, as etcdctl prints them. */
    static List<String> voters(DiskSurvey disk) {
        return disk.voters().stream()
                .map(id -> new MemberId(id).toString())
                .sorted()
                .toList();
    }

    synchronized void size(long bytes) {
        sizeBytes = bytes;
    }

    synchronized void revision(long last) {
        revision = last;
    }

    /** @param bytes asked whenever somebody wants to know */
    synchronized void transferring(LongSupplier bytes) {
        transferred = bytes;
    }

    synchronized void stored(long bytes, String hash) {
        storedBytes = bytes;
        sha256 = hash;
    }

    /** What was written beside the object; what we have seen ourselves is known better. */
    synchronized void remembered(AgentReport sidecar) {
        revision = revision == null ? sidecar.revision() : revision;
        sizeBytes = sizeBytes == null ? sidecar.sizeBytes() : sizeBytes;
        sha256 = sha256 == null ? sidecar.sha256() : sha256;
        etcdVersion = sidecar.etcdVersion();
        time = sidecar.time();
        clusterId = sidecar.clusterId();
        source = sidecar.source();
        contents = sidecar.contents();
    }

    synchronized void contents(Contents found) {
        contents = found;
    }

    synchronized void storedBytes(long bytes) {
        storedBytes = bytes;
    }

    public synchronized AgentReport report(State state, @Nullable String message) {
        return new AgentReport(
                state,
                message,
                objectUrl,
                path,
                revision,
                sizeBytes,
                storedBytes,
                transferred == null ? null : (Long) transferred.getAsLong(),
                sha256,
                etcdVersion,
                time,
                compression,
                encrypted,
                clusterId,
                source,
                term,
                index,
                voters,
                contents);
    }
}
