package etcdoperator.restore;

import etcdoperator.domain.EtcdVersion;
import java.util.Optional;

/** With which etcd a backup is restored. */
sealed interface Fitting {
    record With(EtcdVersion version) implements Fitting {}

    record None(String why) implements Fitting {}

    /**
     * @param asked what the cluster is to run
     * @param recorded what the backup was taken from; one that nobody has recorded anything of is tried as asked
     */
    static Fitting of(Optional<EtcdVersion> asked, Optional<EtcdVersion> recorded) {
        if (asked.isEmpty() && recorded.isEmpty()) {
            return new None(
                    "Nothing is recorded of the etcd version that this backup was taken from; set clusterTemplate.spec.version to it");
        }
        EtcdVersion version = asked.or(() -> recorded).orElseThrow();
        Optional<EtcdVersion> other = recorded.filter(from -> !reads(version, from));
        return other.isPresent() ? new None(misfit(version, other.get())) : new With(version);
    }

    /** An older etcd does not read it, and a much newer one was never tried on such data. */
    private static boolean reads(EtcdVersion version, EtcdVersion from) {
        return version.major() == from.major()
                && (version.minor() == from.minor() || version.minor() == from.minor() + 1);
    }

    private static String misfit(EtcdVersion version, EtcdVersion from) {
        return "A backup of etcd %s cannot be restored with %s; restore it with %d.%d or %d.%d%s"
                .formatted(
                        from,
                        version,
                        from.major(),
                        from.minor(),
                        from.major(),
                        from.minor() + 1,
                        version.compareTo(from) > 0 ? ", and upgrade the cluster then" : "");
    }
}
