/** Reads a stopped member's disk: its database (bbolt) and its write-ahead log. */
@NullMarked
package etcdoperator.agent.disk;

import org.jspecify.annotations.NullMarked;
