package etcdoperator.domain;

import java.util.List;

/** How a pod speaks with clients and with other members. A pod carries it, for its peer may be ahead of it. */
public record Transport(Client client, Between peer) {
    public static final Transport PLAIN = new Transport(Client.PLAIN, Between.PLAIN);

    /** What clients are served. */
    public enum Client {
        PLAIN(Scheme.HTTP),
        PERMISSIVE(Scheme.HTTP, Scheme.HTTPS),
        REQUIRED(Scheme.HTTPS);

        private final List<Scheme> schemes;

        Client(Scheme... schemes) {
            this.schemes = List.of(schemes);
        }

        public List<Scheme> schemes() {
            return schemes;
        }

        /** TLS where there is any. */
        public Scheme best() {
            return schemes.getLast();
        }
    }

    /** Members that are {@link #PLAIN} and {@link #REQUIRED} cannot speak with each other; all else can. */
    public enum Between {
        PLAIN(Scheme.HTTP),
        /** Reached without TLS, and able to reach others by it. */
        PREPARED(Scheme.HTTP),
        REQUIRED(Scheme.HTTPS);

        private final Scheme scheme;

        Between(Scheme scheme) {
            this.scheme = scheme;
        }

        /** How it is reached. */
        public Scheme scheme() {
            return scheme;
        }
    }
}
