package etcdoperator.agent;

import java.io.IOException;
import java.io.OutputStream;

/** Counts what goes on its way. Its end is not that of the upload: that must be verified first. */
final class TalliedOutput extends OutputStream {
    private final OutputStream out;
    private final Tally tally;

    TalliedOutput(OutputStream out, Tally tally) {
        this.out = out;
        this.tally = tally;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        tally.add(bytes, from, length);
        out.write(bytes, from, length);
    }

    @Override
    public void close() {}
}
