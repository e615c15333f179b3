package etcdoperator.domain;

/** What a role of etcd allows, and on which keys. */
public record Permission(Keys keys, Access access) {
    public enum Access {
        READ,
        WRITE,
        READ_WRITE
    }
}
