package etcdoperator.domain;

import java.util.List;
import java.util.stream.Stream;

/**
 * What the installation allows of clusters that share a certificate authority.
 *
 * @param names what their certificates may be good for beside the names of their own Services: {@code etcd.example.com},
 *     {@code *.example.com} for all below it, an address, or {@code *} for all
 */
public record AuthorityPolicy(Sharing sharing, List<String> names) {
    public static final AuthorityPolicy USUAL = new AuthorityPolicy(Sharing.REFUSED, List.of());

    private static final String ALL = "*";

    /** Whether two clusters may trust one authority. */
    public enum Sharing {
        REFUSED,
        ALLOWED
    }

    public AuthorityPolicy {
        names = List.copyOf(names);
    }

    /** @param names separated by commas */
    public static AuthorityPolicy parse(Sharing sharing, String names) {
        return new AuthorityPolicy(
                sharing,
                Stream.of(names.split(","))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList());
    }

    public boolean allowsSharing() {
        return sharing == Sharing.ALLOWED;
    }

    public boolean allows(String name) {
        return names.stream().anyMatch(allowed -> covers(allowed, name));
    }

    private static boolean covers(String allowed, String name) {
        return allowed.equals(ALL)
                || allowed.equals(name)
                || (allowed.startsWith(ALL + ".") && name.endsWith(allowed.substring(ALL.length())));
    }
}
