package etcdoperator.agentreport;

/** The work could not be done. The message is a sentence for users: what, where, and what to do. */
public final class AgentException extends Exception {
    private final int exitCode;

    private AgentException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Time may cure it. */
    public static AgentException forNow(String message) {
        return new AgentException(message, ExitCodes.FOR_NOW);
    }

    /** Time may cure it, and until then no member says a word. */
    public static AgentException unanswered(String message) {
        return new AgentException(message, ExitCodes.UNANSWERED);
    }

    /** Only a person can. */
    public static AgentException fatal(String message) {
        return new AgentException(message, ExitCodes.FATAL);
    }

    public int exitCode() {
        return exitCode;
    }
}
