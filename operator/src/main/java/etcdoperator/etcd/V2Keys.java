package etcdoperator.etcd;

import java.time.Duration;

/** Whether anybody still keeps data in the way of etcd 2, which no etcd from 3.6 on starts with. */
public interface V2Keys {
    /** Keys of a member that does not serve etcd 2 to clients cannot be seen, and count as none. */
    boolean existAt(Endpoint member, Duration deadline) throws EtcdException;
}
