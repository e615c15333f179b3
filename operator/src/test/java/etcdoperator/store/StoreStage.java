package etcdoperator.store;

/** A store with one bucket that is there, and one that is not. */
interface StoreStage extends AutoCloseable {
    Store store();

    Store missingBucket();

    /** How many parts of unfinished uploads to this path the store still has. */
    int partsLeft(String path);

    /** Whether there is a way to take back parts. */
    default boolean takesPartsBack() {
        return true;
    }

    /** What {@link BigTransfer} takes: how to find this store from another process. */
    String[] whereabouts();

    @Override
    void close();
}
