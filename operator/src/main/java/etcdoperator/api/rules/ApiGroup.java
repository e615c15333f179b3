package etcdoperator.api.rules;

/** The group and version all five kinds share. */
public final class ApiGroup {
    public static final String GROUP = "etcd.improbable.io";
    public static final String VERSION = "v1alpha1";

    /** Labels and annotations that start with this belong to the operator. */
    public static final String RESERVED_PREFIX = GROUP + "/";

    private ApiGroup() {}
}
