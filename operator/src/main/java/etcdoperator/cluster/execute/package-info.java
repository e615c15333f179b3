/** Carries out what takes longer than a pass or needs keys: background tasks, certificates, passwords. */
@NullMarked
package etcdoperator.cluster.execute;

import org.jspecify.annotations.NullMarked;
