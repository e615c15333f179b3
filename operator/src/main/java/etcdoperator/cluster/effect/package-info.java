/** What each step does, as a list of effects that can be repeated. Pure. */
@NullMarked
package etcdoperator.cluster.effect;

import org.jspecify.annotations.NullMarked;
