/** Reads Jobs of our agents, for all kinds: what became of a Job, and what its agent reported. */
@NullMarked
package etcdoperator.agentjob;

import org.jspecify.annotations.NullMarked;
