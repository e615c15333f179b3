/** An etcd made by hand: processes on volumes, elections, members, users, and the client that asks them. */
package etcdoperator.simulation.etcd;
