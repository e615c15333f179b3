package io.improbable.etcd.agent;

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

    /** A database, and after it its hash. */
    InputStream stream();
}
