package io.improbable.etcd.agent;

/** What an agent's process ends with. */
public final class ExitCodes {
    static final int DONE = 0;

    /** Time may cure it. */
    static final int FOR_NOW = 1;

    /** Only a person can. */
    static final int FATAL = 2;

    /** Time may cure it, but nobody who was asked said a word: without a quorum a member that has started anew never will. */
    public static final int UNANSWERED = 3;

    private ExitCodes() {}
}
