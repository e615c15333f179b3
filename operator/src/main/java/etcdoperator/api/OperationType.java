package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The kinds of work the operator does on a cluster, of which one at most is under way. */
public enum OperationType {
    /** All members of a new cluster start together. */
    @JsonProperty("Bootstrap")
    BOOTSTRAP,
    /** The members of a recreated cluster start on the data they left. */
    @JsonProperty("Resume")
    RESUME,
    /** Members that a deletion with orphans left running are taken up. */
    @JsonProperty("Adopt")
    ADOPT,
    /** A member is added. */
    @JsonProperty("ScaleUp")
    SCALE_UP,
    /** A member is taken away. */
    @JsonProperty("ScaleDown")
    SCALE_DOWN,
    /** A member that lost its data or its node is replaced by a new one. */
    @JsonProperty("Replace")
    REPLACE,
    /** A member that is none of this cluster's peers is removed. */
    @JsonProperty("Expel")
    EXPEL,
    /** All members stop and keep their data. */
    @JsonProperty("Sleep")
    SLEEP,
    /** Members are restarted one after another with other settings. */
    @JsonProperty("Roll")
    ROLL,
    /** Members are restarted one after another with a newer etcd. */
    @JsonProperty("Upgrade")
    UPGRADE,
    /** Members are restarted one after another with an older etcd. */
    @JsonProperty("Downgrade")
    DOWNGRADE,
    /** Unused space of databases is given back to the disks. */
    @JsonProperty("Defragment")
    DEFRAGMENT,
    /** A database that has reached its quota is made smaller. */
    @JsonProperty("FreeSpace")
    FREE_SPACE,
    /** An alarm whose cause is gone is ended. */
    @JsonProperty("Disarm")
    DISARM,
    /** Users and roles of etcd are changed, or authentication is enabled or disabled. */
    @JsonProperty("Accounts")
    ACCOUNTS,
    /** All members stop, because an EtcdRestore gives the cluster other data in place of theirs. */
    @JsonProperty("Restore")
    RESTORE,
    /** Most voters are lost for good, and a way back is prepared or waited for. */
    @JsonProperty("Recover")
    RECOVER
}
