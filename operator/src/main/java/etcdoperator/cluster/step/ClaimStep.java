package etcdoperator.cluster.step;

import java.util.List;

/** Enlarges, marks and deletes claims. */
public sealed interface ClaimStep extends Step {
    /** Asks for larger volumes. */
    record Expand(List<String> claims, String reason) implements ClaimStep, Progress.OfRecorded {}

    /** Keeps Argo CD from deleting claims. */
    record Protect(List<String> claims, String reason) implements ClaimStep {
        @Override
        public Progress progress() {
            return Progress.BRIEF;
        }
    }

    /** Marks a claim that nobody has come to use, so that it can go. */
    record Retire(String claimName, String reason) implements ClaimStep, Progress.Brief {}

    /** A claim that was retired is not: its member stays after all. */
    record Keep(String claimName, String reason) implements ClaimStep, Progress.Brief {}

    /** Deletes a retired claim whose member and pod are gone. */
    record Discard(String claimName, String reason) implements ClaimStep, Progress.Brief {}
}
