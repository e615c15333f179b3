package etcdoperator.api;

/**
 * How {@code spec.version} may change, as rules of the CRD: what {@code domain.VersionPath} says, in its words. They see
 * only what is asked for; what the members run is held against the same rules before anything is done.
 */
final class VersionRules {
    private static final String NEW_VERSION = "self.spec.version";
    private static final String OLD_VERSION = "oldSelf.spec.version";
    private static final String NEW_WORD = NEW_VERSION + ".split('.')[1]";
    private static final String NEW = "int(" + NEW_WORD + ")";
    private static final String OLD = "int(" + OLD_VERSION + ".split('.')[1])";
    private static final String OLD_PATCH = "int(" + OLD_VERSION + ".split('.')[2].split('-')[0])";

    /** Another rule refuses these, in better words. */
    private static final String MALFORMED = "!" + NEW_VERSION + ".matches('" + EtcdClusterSpec.SEMVER + "') || !"
            + OLD_VERSION + ".matches('" + EtcdClusterSpec.SEMVER + "') || ";

    /** A number made to text could be of any length, as far as the API server reckons, and a message must be short. */
    private static final String LINES = "['3.0', '3.1', '3.2', '3.3', '3.4', '3.5', '3.6', '3.7', '3.8', '3.9']";

    private static final String NO_WAY_BACK = "(" + NEW + " < " + OLD + " && " + NEW + " <= 4)";
    private static final String THEN_GO_ON = " + ', wait until the cluster runs it, then go on'";

    static final String WAY_BACK = MALFORMED + "!" + NO_WAY_BACK
            + " || (has(self.status) && has(self.status.clusterVersion)"
            + " && self.status.clusterVersion.matches('^3[.][0-9]{1,6}[.]')"
            + " && int(self.status.clusterVersion.split('.')[1]) == " + NEW + ")";
    static final String WAY_BACK_MESSAGE = OLD_VERSION + " + ' cannot go down to ' + " + NEW_VERSION
            + " + ', because etcd 3.' + " + NEW_WORD + " + ' does not start on data of later versions:"
            + " choose another version, or restore a backup of 3.' + " + NEW_WORD + " + ' into a new cluster'";

    static final String ONE_MINOR =
            MALFORMED + NO_WAY_BACK + " || (" + NEW + " <= " + OLD + " + 1 && " + NEW + " >= " + OLD + " - 1)";
    static final String ONE_MINOR_MESSAGE = OLD_VERSION + " + ' cannot go to ' + " + NEW_VERSION
            + " + ' in one step: first set spec.version to ' + (" + NEW + " < " + OLD + " ? 'a version ' + " + LINES
            + "["
            + OLD + " - 1] : " + OLD + " == 4 ? '3.5.26 or a later 3.5' : " + OLD + " == 5 ? '3.6.11 or a later 3.6'"
            + " : 'a version ' + " + LINES + "[" + OLD + " + 1])" + THEN_GO_ON;

    static final String FLOOR = MALFORMED + NEW + " != " + OLD + " + 1 || (" + NEW + " == 6 ? " + OLD_PATCH
            + " >= 26 : " + NEW + " != 7 || " + OLD_PATCH + " >= 11)";
    static final String FLOOR_MESSAGE = OLD_VERSION + " + ' cannot go to ' + " + NEW_VERSION
            + " + ': first set spec.version to ' + (" + NEW
            + " == 6 ? '3.5.26 or a later 3.5' : '3.6.11 or a later 3.6')" + THEN_GO_ON;

    private VersionRules() {}
}
