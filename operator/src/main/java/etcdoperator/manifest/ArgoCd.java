package etcdoperator.manifest;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Keeps Argo CD from deleting claims. With its label tracking it takes each object that has the instance label, and no
 * owner, for a part of the Application of that name, and prunes what is not in the repository: all claims of a cluster
 * that is called like its Application.
 */
public final class ArgoCd {
    /** No claim has it. Operators until 2026 have made claims with it. */
    static final String INSTANCE = "app.kubernetes.io/instance";

    /** Against pruning, and against deletion together with an Application, also where somebody has labelled a claim. */
    private static final Map<String, String> LEFT_ALONE = Map.of(
            "argocd.argoproj.io/sync-options",
            "Prune=false,Delete=false",
            "argocd.argoproj.io/compare-options",
            "IgnoreExtraneous");

    private ArgoCd() {}

    /** What every claim is annotated with. */
    public static Map<String, String> leftAlone() {
        return LEFT_ALONE;
    }

    /** Labels that a claim is to lose. */
    public static Set<String> lost() {
        return Set.of(INSTANCE);
    }

    /** Labels of a claim, made of those that other objects have. */
    static Map<String, String> without(Map<String, String> labels) {
        Map<String, String> others = new TreeMap<>(labels);
        others.remove(INSTANCE);
        return others;
    }

    /**
     * Whether a claim that an operator has made lacks this protection. What a person has written into the annotations
     * stays, and so do the labels of claims that a person has made.
     */
    public static boolean mayPrune(PersistentVolumeClaim claim) {
        return Labels.isMadeByOperator(claim)
                && (claim.getMetadata().getLabels().containsKey(INSTANCE)
                        || !missing(claim.getMetadata()).isEmpty());
    }

    /** Annotations that the claim does not have yet. */
    public static Map<String, String> missing(ObjectMeta claim) {
        Map<String, String> missing = new TreeMap<>(LEFT_ALONE);
        if (claim.getAnnotations() != null) {
            missing.keySet().removeAll(claim.getAnnotations().keySet());
        }
        return missing;
    }
}
