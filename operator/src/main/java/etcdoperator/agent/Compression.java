package etcdoperator.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** How snapshots are made smaller. */
enum Compression {
    NONE,
    GZIP;

    private static final int BUFFER = 64 << 10;

    /** As flags and reports have it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    OutputStream over(OutputStream out) throws IOException {
        return switch (this) {
            case NONE -> out;
            case GZIP -> new QuickGzip(out);
        };
    }

    /** Three times as fast as usual, and little larger. */
    private static final class QuickGzip extends GZIPOutputStream {
        QuickGzip(OutputStream out) throws IOException {
            super(out, BUFFER);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
