package etcdoperator.agent;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what comes. */
final class TalliedInput extends FilterInputStream {
    private final Tally tally;

    TalliedInput(InputStream in, Tally tally) {
        super(in);
        this.tally = tally;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        int some = super.read(into, from, most);
        if (some > 0) {
            tally.add(into, from, some);
        }
        return some;
    }
}
