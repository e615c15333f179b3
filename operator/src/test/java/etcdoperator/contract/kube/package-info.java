/** What the operator takes for granted of the API server, held against the simulated one and a real one. */
package etcdoperator.contract.kube;
