package etcdoperator.tls;

import static java.util.Comparator.comparingInt;

import java.util.List;
import java.util.Set;

/** Under which keys a Secret holds a certificate, its private key, and whom to trust. */
public sealed interface SecretKeys {
    /**
     * Two ways to name them are known: that of {@code kubernetes.io/tls}, and that of CoreOS's operator, whose Secrets
     * people still have.
     *
     * @param present the keys of the Secret
     */
    static SecretKeys of(Set<String> present, Side side) {
        return List.of(Found.KUBERNETES, side.coreOs).stream()
                .min(comparingInt(names -> names.missing(present).size()))
                .filter(names -> !names.missing(present).isEmpty())
                .<SecretKeys>map(names -> new Missing(names.missing(present)))
                .orElseGet(() -> Found.KUBERNETES.missing(present).isEmpty() ? Found.KUBERNETES : side.coreOs);
    }

    /** The names of all three. */
    record Found(String certificate, String key, String trust) implements SecretKeys {
        public static final Found KUBERNETES = new Found("tls.crt", "tls.key", "ca.crt");

        private static Found of(String name) {
            return new Found(name + ".crt", name + ".key", name + "-ca.crt");
        }

        private List<String> missing(Set<String> present) {
            return List.of(certificate, key, trust).stream()
                    .filter(name -> !present.contains(name))
                    .toList();
        }
    }

    /** Some are not there. Of the two ways to name them, the one that is closer to what there is. */
    record Missing(List<String> keys) implements SecretKeys {}

    /** Which connections a Secret is for. */
    enum Side {
        SERVER("server"),
        PEER("peer"),
        CLIENT("etcd-client");

        private final Found coreOs;

        Side(String coreOsName) {
            this.coreOs = Found.of(coreOsName);
        }
    }
}
