package etcdoperator.store;

import java.time.Instant;

/** @param path as the store takes it, without what the address puts before it */
public record StoredObject(String path, long sizeBytes, Instant modified) {}
