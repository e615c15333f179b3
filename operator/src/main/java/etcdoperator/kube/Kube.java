package etcdoperator.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.manifest.ArgoCd;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the operator does to the API server. Every call can be repeated after a crash. A call that finds the world other
 * than the caches had it throws {@link StaleViewException}: the pass ends, and the next one sees more.
 */
public interface Kube {
    /** Never takes over an object of somebody else's: a name that is taken is refused. */
    void create(HasMetadata object) throws StaleViewException, RefusedException;

    /** Server-side apply over an object that is the operator's already; one that carries a uid, only over that very one. */
    void apply(HasMetadata object) throws StaleViewException, RefusedException;

    /** Replaces all of a Secret of the operator's, if nobody has changed it since it was read. */
    void replace(Secret secret) throws StaleViewException, RefusedException;

    /** Writes into the spec of this very cluster, if nobody has changed it since it was read. */
    void record(EtcdCluster cluster, TlsSpec tls) throws StaleViewException, RefusedException;

    /** Replaces the spec, if nobody has changed the object since it was read. */
    void replace(EtcdPeer peer) throws StaleViewException, RefusedException;

    /**
     * Adds annotations to this very object, told from others of its name by its uid. A claim, a cluster or a restore
     * must also be as it was read: what the annotations say decides whether a cluster may be founded on a claim, which of
     * two restores a cluster lies down for, and whether a restore may put claims aside.
     */
    void annotate(HasMetadata object, Map<String, String> annotations) throws StaleViewException, RefusedException;

    /** Changes what a claim says of itself, in one write, if nobody has changed it since it was read. */
    void mark(PersistentVolumeClaim claim, ClaimMark mark) throws StaleViewException, RefusedException;

    /**
     * What a claim is to say of itself from now on.
     *
     * @param without labels it is to lose
     * @param ownerless whether it is to go with nobody any more
     */
    record ClaimMark(
            Map<String, String> labels, Set<String> without, Map<String, String> annotations, boolean ownerless) {
        /** What keeps Argo CD from deleting it. */
        public static ClaimMark leftAlone(PersistentVolumeClaim claim) {
            return new ClaimMark(Map.of(), ArgoCd.lost(), ArgoCd.missing(claim.getMetadata()), false);
        }
    }

    /** Sets labels of this very object, told from others of its name by its uid. */
    void label(HasMetadata object, Map<String, String> labels) throws StaleViewException, RefusedException;

    /** Asks for a larger volume. */
    void resize(PersistentVolumeClaim claim, Quantity storage) throws StaleViewException, RefusedException;

    /**
     * Deletes this very object, if nobody has changed it since it was read. A pod that is on its way out already is
     * given one more second.
     */
    void delete(HasMetadata object) throws StaleViewException, RefusedException;

    /** Replaces the status, if nobody has changed the object since it was read; returns it as stored. */
    EtcdCluster replaceStatus(EtcdCluster cluster) throws StaleViewException, RefusedException;

    void replaceStatus(EtcdPeer peer) throws StaleViewException, RefusedException;

    /** The same for the other kinds. */
    <T extends CustomResource<?, ?>> T replaceStatus(T object) throws StaleViewException, RefusedException;

    /** Sets what holds an object back from its deletion and whom it goes with, if nobody has changed it since it was read. */
    void bind(HasMetadata object, List<String> finalizers, List<OwnerReference> owners)
            throws StaleViewException, RefusedException;

    /**
     * Goes on only if the API server itself, whatever the caches have, knows these claims of the cluster, as they were
     * read, and no others, and has no node again whose volumes were taken for lost.
     */
    void requireAsSeen(ClusterObjects seen) throws StaleViewException;

    /** Tells people, as an Event. Done on the side: an Event that gets lost stops nothing. */
    void tell(HasMetadata about, Notice notice);

    /** What is annotated only as it was read. */
    static boolean isAnnotatedAsSeen(HasMetadata object) {
        return object instanceof PersistentVolumeClaim
                || object instanceof EtcdCluster
                || object instanceof EtcdRestore;
    }

    /** What holds, names or moves data must come to be exactly once, which only a plain create can promise. */
    static boolean isMadeOnce(HasMetadata object) {
        return object instanceof PersistentVolumeClaim
                || object instanceof EtcdPeer
                || object instanceof Secret
                || object instanceof EtcdBackup
                || object instanceof EtcdRestore
                || object instanceof EtcdCluster
                || object instanceof Job;
    }

    /** The world is not as the caches had it. */
    sealed class StaleViewException extends Exception {
        public StaleViewException(String message) {
            super(message);
        }
    }

    /** Nothing new can be made here any more: the namespace is being deleted. */
    final class NamespaceEndsException extends StaleViewException {
        public NamespaceEndsException(String message) {
            super(message);
        }
    }

    /** The API server said no, and will until somebody acts: a quota, a policy, a name that is taken. */
    final class RefusedException extends Exception {
        private final String why;

        public RefusedException(String why) {
            super(why);
            this.why = why;
        }

        public String why() {
            return why;
        }
    }
}
