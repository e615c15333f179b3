package etcdoperator.kube.fabric;

/** Where a Secret is. */
record SecretName(String namespace, String name) {
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
