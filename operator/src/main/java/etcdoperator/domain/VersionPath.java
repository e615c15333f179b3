package etcdoperator.domain;

import java.util.Optional;

/**
 * Which version may follow on which, by etcd's own rules. The API server holds {@code spec.version} to the same ones, in
 * the same words; here they are held against what members really run. A prerelease counts as the release it leads to.
 */
public final class VersionPath {
    /** The last minor that nothing leads back to: etcd knows how to go down from 3.6 on. */
    private static final int LAST_WITHOUT_WAY_BACK = 4;

    private VersionPath() {}

    /** Why a member must not go from one version to another, and which way to take; empty if it may. */
    public static Optional<String> refusal(EtcdVersion from, EtcdVersion to) {
        return refusal(from, to, from.clusterVersion());
    }

    /**
     * The same for a member of a cluster whose members have agreed on some version: as long as that is an older one, the
     * data is still what the older one wrote, and the upgrade may be taken back.
     */
    public static Optional<String> refusal(EtcdVersion from, EtcdVersion to, EtcdVersion clusterVersion) {
        if (from.major() != to.major()) {
            return Optional.of("%s cannot go to %s, another major version: create a new cluster".formatted(from, to));
        }
        if (to.minor() < from.minor() && to.minor() <= LAST_WITHOUT_WAY_BACK) {
            return clusterVersion.line().equals(to.line()) ? Optional.empty() : Optional.of(noWayBack(from, to));
        }
        if (to.minor() > from.minor() + 1) {
            return Optional.of("%s cannot go to %s in one step: %s".formatted(from, to, first(stop(from, 1))));
        }
        if (to.minor() < from.minor() - 1) {
            return Optional.of("%s cannot go to %s in one step: %s".formatted(from, to, first(anyOf(from, -1))));
        }
        return to.minor() > from.minor() && from.patch() < floor(from.minor())
                ? Optional.of("%s cannot go to %s: %s".formatted(from, to, first(stop(from, 0))))
                : Optional.empty();
    }

    /** The first patch of a minor that the next one starts from safely. */
    private static int floor(int minor) {
        return switch (minor) {
            case 5 -> 26;
            case 6 -> 11;
            default -> 0;
        };
    }

    /** Where to stop some minors further up: a version from which one can go on. */
    private static String stop(EtcdVersion from, int up) {
        int minor = from.minor() + up;
        return floor(minor) == 0
                ? anyOf(from, up)
                : "%d.%d.%d or a later %d.%d".formatted(from.major(), minor, floor(minor), from.major(), minor);
    }

    private static String anyOf(EtcdVersion from, int up) {
        return "a version %d.%d".formatted(from.major(), from.minor() + up);
    }

    private static String first(String stop) {
        return "first set spec.version to " + stop + ", wait until the cluster runs it, then go on";
    }

    private static String noWayBack(EtcdVersion from, EtcdVersion to) {
        return ("%s cannot go down to %s, because etcd %s does not start on data of later versions:"
                        + " choose another version, or restore a backup of %s into a new cluster")
                .formatted(from, to, to.line(), to.line());
    }
}
