/** Members, disks and nodes that are lost for a while or for good: what comes back, and from which data. */
package etcdoperator.e2e.loss;
