/** What the operator takes for granted of etcd, held against the simulation's etcd and against real ones. */
package etcdoperator.contract.etcd;
