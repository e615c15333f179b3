package etcdoperator.tls;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which keys fit their certificates. Finding out costs a signature, and every pass over a cluster asks anew. */
final class KnownPairs {
    /** Those of two thousand clusters, in a megabyte or two. */
    private static final int MOST = 10_000;

    /** By digest: no key is kept in here. */
    private static final Map<String, Boolean> FOUND = Collections.synchronizedMap(new LatestOnly());

    private KnownPairs() {}

    static boolean fits(PemPair pair) {
        String digest =
                CertificateView.sha256((pair.certificates() + '\0' + pair.key()).getBytes(StandardCharsets.UTF_8));
        Boolean known = FOUND.get(digest);
        if (known != null) {
            return known;
        }
        boolean found = find(pair);
        FOUND.put(digest, found);
        return found;
    }

    private static boolean find(PemPair pair) {
        try {
            return PrivateKeys.belongTogether(
                    PrivateKeys.read(pair.key()),
                    Pem.certificates(pair.certificates()).getFirst().getPublicKey());
        } catch (UnreadableException e) {
            return false;
        }
    }

    /** Forgets what was not asked for the longest time. */
    private static final class LatestOnly extends LinkedHashMap<String, Boolean> {
        private static final long serialVersionUID = 1L;

        LatestOnly() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    }
}
