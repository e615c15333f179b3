package etcdoperator.agent.disk;

import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/** A file that must not change while it is read: half of it as it was and half as it is now would be neither. */
public final class StillFile extends FilterInputStream {
    private final Path file;
    private final FileTime written;
    private final long size;

    public StillFile(Path file) throws IOException {
        // What is written between these and the first byte counts, too.
        this(file, Files.getLastModifiedTime(file), Files.size(file));
    }

    private StillFile(Path file, FileTime written, long size) throws IOException {
        super(Files.newInputStream(file));
        this.file = file;
        this.written = written;
        this.size = size;
    }

    public long sizeBytes() {
        return size;
    }

    @Override
    public int read() throws IOException {
        int one = super.read();
        return one < 0 ? end() : one;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        int some = super.read(into, from, most);
        return some < 0 ? end() : some;
    }

    private int end() throws IOException {
        if (!Files.getLastModifiedTime(file).equals(written) || Files.size(file) != size) {
            throw new IOException(file + " was written to while it was read: its member has been started");
        }
        return -1;
    }
}
