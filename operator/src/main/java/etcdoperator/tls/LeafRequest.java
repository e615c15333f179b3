package etcdoperator.tls;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A certificate that is wanted from an authority.
 *
 * @param commonName to etcd, the name of the user that a client is
 * @param addresses kept in the form that is compared
 */
public record LeafRequest(
        String commonName, Set<String> dnsNames, Set<String> addresses, Set<Usage> usages, Duration lifetime) {
    /** X.520 allows no more, and some readers insist. */
    public static final int LONGEST_COMMON_NAME = 64;

    public LeafRequest {
        if (commonName.isBlank() || commonName.length() > LONGEST_COMMON_NAME) {
            throw new IllegalArgumentException(
                    "a common name has 1 to %d characters: %s".formatted(LONGEST_COMMON_NAME, commonName));
        }
        if (!lifetime.isPositive()) {
            throw new IllegalArgumentException("a certificate that lasts for " + lifetime + " is never valid");
        }
        if (usages.isEmpty()) {
            // To leave the extension out would allow every use.
            throw new IllegalArgumentException("a certificate for no use");
        }
        dnsNames = Set.copyOf(dnsNames);
        addresses = addresses.stream().map(LeafRequest::normal).collect(Collectors.toUnmodifiableSet());
        usages = Set.copyOf(usages);
    }

    private static String normal(String address) {
        return Names.address(address).orElseThrow(() -> new IllegalArgumentException("not an address: " + address));
    }
}
