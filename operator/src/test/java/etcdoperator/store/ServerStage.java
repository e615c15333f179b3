package etcdoperator.store;

/** A store that is somewhere else, and asks who we are. */
interface ServerStage extends StoreStage {
    Store wrongCredentials();

    /** What must never be seen in an error. */
    String secret();

    /** It can be reached no more; what it has, it keeps. */
    void cutOff();

    void comeBack();
}
