package etcdoperator.store;

/** How a store takes one object, part by part. Each call but the last may be made again if it failed. */
interface Parts {
    /** How many may be sent at the same time, in any order; all else is done by one call at a time. */
    default int atOnce() {
        return 1;
    }

    /** One that is not the last. */
    void send(Part part) throws StoreException;

    /** The last one, which may also be the first; empty only if the object is. The object is seen from now on. */
    void finish(Part last) throws StoreException;

    /** Takes back what was sent. */
    void abort() throws StoreException;
}
