package io.improbable.etcd.store;

/** How a store takes one object, part by part. One call at a time; each but the last may be made again if it failed. */
interface Parts {
    /** One that is not the last. */
    void send(Part part) throws StoreException;

    /** The last one, which may also be the first; empty only if the object is. The object is seen from now on. */
    void finish(Part last) throws StoreException;

    /** Takes back what was sent. */
    void abort() throws StoreException;
}
