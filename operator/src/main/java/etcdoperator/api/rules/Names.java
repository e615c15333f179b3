package etcdoperator.api.rules;

import java.util.Set;
import java.util.regex.Pattern;

/** Names of other objects and keys in them, as the API server can tell them. No object can have another name. */
public final class Names {
    private static final String PART = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

    public static final String SUBDOMAIN = PART + "([.]" + PART + ")*";

    /** Of Secrets, ConfigMaps, claims, service accounts, classes and issuers. */
    public static final String OBJECT = "self.matches('^" + SUBDOMAIN + "$')";

    public static final String OBJECT_MESSAGE =
            "no object of Kubernetes can have this name: use lower case letters, digits, '-' and '.', and begin and end"
                    + " with a letter or digit";

    public static final int LONGEST_OBJECT = 253;

    /** The same where absence may be written as an empty name. */
    public static final String OBJECT_OR_NONE = "self == '' || " + OBJECT;

    /** Of an EtcdCluster. */
    public static final String CLUSTER = "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')";

    public static final String CLUSTER_MESSAGE =
            "no EtcdCluster can have this name: use lower case letters, digits and '-', start with a letter and end with"
                    + " a letter or digit";

    public static final int LONGEST_CLUSTER = 45;

    /** In a Secret or a ConfigMap. */
    public static final String KEY = "self.matches('^[-._a-zA-Z0-9]*$') && self != '.' && !self.startsWith('..')";

    public static final String KEY_MESSAGE =
            "no Secret or ConfigMap can have this key: use letters, digits, '-', '_' and '.'";

    public static final int LONGEST_KEY = 253;

    /** Of a kind of object. */
    public static final String KIND = "self.matches('^[A-Z][A-Za-z0-9]*$')";

    public static final String KIND_MESSAGE =
            "no kind can have this name: use letters and digits, and start with a capital, such as ClusterIssuer";

    public static final int LONGEST_KIND = 63;

    /** All of these rules. */
    public static final Set<String> RULES = Set.of(OBJECT, OBJECT_OR_NONE, CLUSTER, KEY, KIND);

    private static final Pattern OBJECT_PATTERN = Pattern.compile(SUBDOMAIN);

    private Names() {}

    public static boolean isOfObject(String name) {
        return name.length() <= LONGEST_OBJECT && OBJECT_PATTERN.matcher(name).matches();
    }
}
