package etcdoperator.kube;

import java.util.Map;
import java.util.Optional;

/**
 * What a cluster needs and the API server did not give: it may be there or not.
 *
 * @param pending what is being read for the first time; empty once every read has ended, well or not
 * @param secrets why Secrets of these names cannot be read
 * @param certificates why the Certificates of cert-manager cannot be read
 */
public record Unread(Optional<String> pending, Map<String, String> secrets, Optional<String> certificates) {
    public static final Unread NOTHING = new Unread(Optional.empty(), Map.of(), Optional.empty());

    public Optional<String> secret(String name) {
        return Optional.ofNullable(secrets.get(name));
    }
}
