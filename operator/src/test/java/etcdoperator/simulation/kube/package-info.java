/** A Kubernetes made by hand: API server, controllers, nodes, and the caches and connections of an operator. */
package etcdoperator.simulation.kube;
