package etcdoperator.domain;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An installation of the operator. An operator that is deleted and installed again, under the same release name in the
 * same namespace, is the same installation.
 */
public record Installation(String namespace, String release) {
    private static final Pattern SYNTAX =
            Pattern.compile("([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)/([a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?)");

    /** A pod of a Deployment is named after it, its ReplicaSet and itself. */
    private static final Pattern POD_OF_DEPLOYMENT = Pattern.compile("(.+)-[a-z0-9]{4,10}-[a-z0-9]{5}");

    /** The name of the Deployment that the manifests of this project install. */
    private static final String USUAL_NAME = "etcd-operator";

    public static Optional<Installation> tryParse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        return matcher.matches() ? Optional.of(new Installation(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    /**
     * Without a release name the name of the Deployment takes its place. The name of the pod itself never does, because
     * the next pod would be another installation.
     */
    public static Installation of(String namespace, String release, String pod) {
        if (!release.isBlank()) {
            return new Installation(namespace, release);
        }
        Matcher matcher = POD_OF_DEPLOYMENT.matcher(pod);
        return new Installation(namespace, matcher.matches() ? matcher.group(1) : USUAL_NAME);
    }

    @Override
    public String toString() {
        return namespace + "/" + release;
    }
}
