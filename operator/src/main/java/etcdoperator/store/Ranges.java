package etcdoperator.store;

/** How a store gives a piece of one object, always of the same one. May be asked again if it failed. */
interface Ranges {
    /** Fills the memory up to the length, and no further. */
    void read(long offset, byte[] into, int length) throws StoreException;
}
