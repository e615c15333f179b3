package etcdoperator.api.rules;

import org.jspecify.annotations.Nullable;

/** A status that records which installation of the operator manages the object. */
public interface ManagedStatus<S> {
    /** NAMESPACE/RELEASE; null until an installation has taken the object. */
    @Nullable
    String installation();

    S withInstallation(String installation);
}
