package etcdoperator.domain;

/** Where an object lives whose kind is known. */
public record ObjectKey(String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
