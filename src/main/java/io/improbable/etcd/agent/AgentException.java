package io.improbable.etcd.agent;

/** The work could not be done. The message is a sentence for users: what, where, and what to do. */
final class AgentException extends Exception {
    private final boolean curable;

    private AgentException(String message, boolean curable) {
        super(message);
        this.curable = curable;
    }

    /** Time may cure it. */
    static AgentException forNow(String message) {
        return new AgentException(message, true);
    }

    /** Only a person can. */
    static AgentException fatal(String message) {
        return new AgentException(message, false);
    }

    /** What the process ends with: the Job tries again after a 1, and not after a 2. */
    int exitCode() {
        return curable ? 1 : 2;
    }
}
