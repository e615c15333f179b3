package etcdoperator.api;

/** How {@code spec.storage} may change, as rules of the CRD: a volume can grow, and that is all it can. */
final class StorageRules {
    private static final String NEW = "self.volumeClaimTemplate";
    private static final String OLD = "oldSelf.volumeClaimTemplate";
    private static final String NEW_SIZE = "string(" + NEW + ".resources.requests['storage'])";
    private static final String OLD_SIZE = "string(" + OLD + ".resources.requests['storage'])";

    /** Another rule refuses a claim without a size, in better words. */
    private static final String NO_SIZE = "!has(" + NEW + ".resources) || !has(" + NEW + ".resources.requests)"
            + " || !('storage' in " + NEW + ".resources.requests) || ";

    static final String ONLY_LARGER = NO_SIZE + "quantity(" + NEW_SIZE + ").compareTo(quantity(" + OLD_SIZE + ")) >= 0";
    static final String ONLY_LARGER_MESSAGE = "'spec.storage cannot go from ' + " + OLD_SIZE + " + ' to ' + " + NEW_SIZE
            + " + ', because volumes cannot shrink: restore its former value, or create another cluster'";

    /** Of other requests only the names are compared: they mean nothing to a volume, and more would cost too much. */
    static final String ONLY_SIZE = NO_SIZE
            + "(has(self.volumeClaimTemplate.accessModes) == has(oldSelf.volumeClaimTemplate.accessModes)"
            + " && (!has(self.volumeClaimTemplate.accessModes)"
            + " || self.volumeClaimTemplate.accessModes == oldSelf.volumeClaimTemplate.accessModes)"
            + " && has(self.volumeClaimTemplate.selector) == has(oldSelf.volumeClaimTemplate.selector)"
            + " && (!has(self.volumeClaimTemplate.selector)"
            + " || self.volumeClaimTemplate.selector == oldSelf.volumeClaimTemplate.selector)"
            + " && has(self.volumeClaimTemplate.storageClassName) == has(oldSelf.volumeClaimTemplate.storageClassName)"
            + " && (!has(self.volumeClaimTemplate.storageClassName)"
            + " || self.volumeClaimTemplate.storageClassName == oldSelf.volumeClaimTemplate.storageClassName)"
            + " && has(self.volumeClaimTemplate.volumeAttributesClassName)"
            + " == has(oldSelf.volumeClaimTemplate.volumeAttributesClassName)"
            + " && (!has(self.volumeClaimTemplate.volumeAttributesClassName)"
            + " || self.volumeClaimTemplate.volumeAttributesClassName"
            + " == oldSelf.volumeClaimTemplate.volumeAttributesClassName)"
            + " && has(self.volumeClaimTemplate.volumeMode) == has(oldSelf.volumeClaimTemplate.volumeMode)"
            + " && (!has(self.volumeClaimTemplate.volumeMode)"
            + " || self.volumeClaimTemplate.volumeMode == oldSelf.volumeClaimTemplate.volumeMode)"
            + " && has(self.volumeClaimTemplate.resources.limits) == has(oldSelf.volumeClaimTemplate.resources.limits)"
            + " && (!has(self.volumeClaimTemplate.resources.limits)"
            + " || self.volumeClaimTemplate.resources.limits == oldSelf.volumeClaimTemplate.resources.limits)"
            + " && self.volumeClaimTemplate.resources.requests.all(k,"
            + " k in oldSelf.volumeClaimTemplate.resources.requests)"
            + " && oldSelf.volumeClaimTemplate.resources.requests.all(k,"
            + " k in self.volumeClaimTemplate.resources.requests))";

    private StorageRules() {}
}
