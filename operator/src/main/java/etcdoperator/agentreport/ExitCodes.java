package etcdoperator.agentreport;

/**
 * What an agent's process ends with. Those that decide something are ours alone: Java ends with 1 or 3 of its own
 * accord, and etcdutl, which runs in the same pods, with 2 when a node is drained, as Go does that is told to stop.
 */
public final class ExitCodes {
    public static final int DONE = 0;

    /** Time may cure it. */
    public static final int FOR_NOW = 1;

    /** Only a person can: trying again would only hide it for longer. */
    public static final int FATAL = 65;

    /** Time may cure it, but nobody who was asked said a word: without a quorum a member that has started anew never will. */
    public static final int UNANSWERED = 69;

    private ExitCodes() {}
}
