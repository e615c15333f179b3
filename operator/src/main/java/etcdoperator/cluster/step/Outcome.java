package etcdoperator.cluster.step;

import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.Problem;

/** What a pass ends with when it changes nothing. */
public sealed interface Outcome extends Step, Progress.OfRecorded {
    /** Ends the operation that status records: its goal is reached. */
    record Finish(Operation operation, String reason) implements Outcome {}

    /** The user wants nothing done. */
    record Rest(String reason) implements Outcome {}

    /** Something is on its way, and its coming starts the next pass. */
    record Wait(String reason) implements Outcome {}

    /** Nothing safe is left to do until a person has acted. */
    record Stuck(Problem problem) implements Outcome {
        @Override
        public String reason() {
            return problem.message();
        }
    }

    record Steady(String reason) implements Outcome {}
}
