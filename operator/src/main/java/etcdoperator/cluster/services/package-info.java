/** The Services, budgets and policies that a cluster should have, and which of them differ. Pure. */
@NullMarked
package etcdoperator.cluster.services;

import org.jspecify.annotations.NullMarked;
