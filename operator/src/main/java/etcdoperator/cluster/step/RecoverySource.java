package etcdoperator.cluster.step;

import java.util.List;

/** What a cluster that has lost most voters can go on from. */
public sealed interface RecoverySource {
    /** The same for the same source, so that an attempt that was cut short finds what it has made. */
    String key();

    /** In words. */
    String told();

    /** The data of survivors, of whom the one is taken whose log goes furthest. */
    record Disks(List<String> claims) implements RecoverySource {
        @Override
        public String key() {
            return String.join(",", claims);
        }

        @Override
        public String told() {
            return claims.size() == 1
                    ? "claim " + claims.getFirst()
                    : "that of claims %s whose log goes furthest".formatted(String.join(", ", claims));
        }
    }

    /** A backup. */
    record Backup(String name) implements RecoverySource {
        public static final String PREFIX = "backup/";

        @Override
        public String key() {
            return PREFIX + name;
        }

        @Override
        public String told() {
            return "EtcdBackup " + name;
        }
    }
}
