package etcdoperator.agent;

import etcdoperator.agentreport.AgentReport.Contents;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Where a snapshot is taken from. */
interface Source extends Closeable {
    /** What to call the snapshot in a sentence. */
    String name();

    /** The member's URL, or the file. */
    String place();

    /** The last one when it began; the snapshot may hold later ones. */
    long revision() throws IOException;

    /** Of etcd. */
    String version();

    Optional<String> clusterId();

    /** Of the whole snapshot. */
    long sizeBytes();

    /** What the keys amount to at the revision that the snapshot turned out to have, if anybody can tell. */
    Optional<Contents> contents(long atRevision);

    /** A database, and after it its hash. */
    InputStream stream();
}
