package etcdoperator.simulation.kube;

import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.simulation.replay.Trace;
import java.util.Optional;

/** What lies between one operator and the API server, or etcd: the place where things go wrong. */
public final class Wire {
    /** What befalls a request. */
    public enum Fault {
        CRASH_BEFORE,
        CRASH_AFTER,
        LOSE_REQUEST,
        LOSE_ANSWER,
        /** The process stands still, and the world goes on, before the request is sent. */
        FREEZE
    }

    @FunctionalInterface
    interface Call<T> {
        T run() throws StaleViewException, RefusedException;
    }

    /** The operator's process ends here and now. */
    public static final class Crash extends RuntimeException {}

    /** As the client has it when a connection breaks: nobody knows whether the request was carried out. */
    public static final class Broken extends RuntimeException {}

    private final OperatorProcess operator;
    private final Witness witness;
    private final Trace trace;
    private final Runnable meanwhile;
    private Optional<Fault> planned = Optional.empty();
    private int requestsBefore;
    private int writes;

    public Wire(OperatorProcess operator, Witness witness, Trace trace, Runnable meanwhile) {
        this.operator = operator;
        this.witness = witness;
        this.trace = trace;
        this.meanwhile = meanwhile;
    }

    OperatorProcess operator() {
        return operator;
    }

    /** Told of what passes. */
    Witness witness() {
        return witness;
    }

    public int writes() {
        return writes;
    }

    /** The fault comes with the request after so many. */
    public void plan(Fault fault, int after) {
        planned = Optional.of(fault);
        requestsBefore = after;
    }

    public void calm() {
        planned = Optional.empty();
    }

    <T> T send(String what, Call<T> call) throws StaleViewException, RefusedException {
        Optional<Fault> fault = request(what);
        T answer = call.run();
        answer(fault);
        return answer;
    }

    /** @return what will befall the answer */
    Optional<Fault> request(String what) {
        writes++;
        return ask(what);
    }

    /** A request that changes nothing. */
    Optional<Fault> ask(String what) {
        Optional<Fault> fault = next();
        fault.ifPresent(f -> trace.note(operator + ": " + f + " at: " + what));
        if (fault.equals(Optional.of(Fault.FREEZE))) {
            meanwhile.run();
            operator.requireAlive();
        }
        if (fault.equals(Optional.of(Fault.CRASH_BEFORE))) {
            throw new Crash();
        }
        if (fault.equals(Optional.of(Fault.LOSE_REQUEST))) {
            throw new Broken();
        }
        trace.note(operator + ": " + what);
        return fault;
    }

    void answer(Optional<Fault> fault) {
        if (fault.equals(Optional.of(Fault.CRASH_AFTER))) {
            throw new Crash();
        }
        if (fault.equals(Optional.of(Fault.LOSE_ANSWER))) {
            throw new Broken();
        }
    }

    private Optional<Fault> next() {
        if (planned.isEmpty() || requestsBefore-- > 0) {
            return Optional.empty();
        }
        Optional<Fault> now = planned;
        planned = Optional.empty();
        return now;
    }
}
