/**
 * Every fault at every boundary between two effects, and then a second one: the simulated world without dice, copied in
 * the middle of a run. Equal states are explored once.
 */
@org.jspecify.annotations.NullMarked
package etcdoperator.exploration;
