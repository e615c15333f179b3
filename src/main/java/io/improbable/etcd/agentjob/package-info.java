/**
 * Jobs of our agents, for all kinds: what Kubernetes says of a Job and its pods, and what the agent reports.
 * Pure; each kind decides what follows from it.
 */
@NullMarked
package io.improbable.etcd.agentjob;

import org.jspecify.annotations.NullMarked;
