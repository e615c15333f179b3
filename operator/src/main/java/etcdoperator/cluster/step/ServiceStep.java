package etcdoperator.cluster.step;

import java.util.List;

/** Repairs objects around the members. */
public sealed interface ServiceStep extends Step {
    /** Brings services, budgets, policies and peers' specs back to what they should be. */
    record Tend(List<String> names, List<String> surplus, String reason) implements ServiceStep, Progress.Brief {
        public static Tend to(List<String> names, List<String> surplus) {
            String restoring = "Restoring " + String.join(", ", names);
            String removing = String.join(", ", surplus);
            String reason = surplus.isEmpty()
                    ? restoring
                    : names.isEmpty() ? "Removing " + removing : restoring + "; removing " + removing;
            return new Tend(names, surplus, reason);
        }
    }
}
