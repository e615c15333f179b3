/** Everything outside the operator, put together, and the operator processes with the real passes in them. */
package etcdoperator.simulation.world;
