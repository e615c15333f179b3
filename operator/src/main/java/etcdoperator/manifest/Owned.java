package etcdoperator.manifest;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;

/**
 * Owner references: deletion is the garbage collector's work, so it happens with the operator down, too. They do not
 * block the owner's deletion, which on some clusters takes a permission that the operator has no other use for.
 */
public final class Owned {
    private Owned() {}

    static OwnerReference by(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .build();
    }

    /** For what goes with its owner and is otherwise its own master. */
    public static OwnerReference alongWith(HasMetadata owner) {
        return new OwnerReferenceBuilder(by(owner)).withController(null).build();
    }
}
