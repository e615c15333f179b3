/** An object store made by hand, with whole objects in it and the record that an agent writes beside each. */
package etcdoperator.simulation.store;
