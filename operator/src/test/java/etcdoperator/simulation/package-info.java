/**
 * The real passes on a Kubernetes and an etcd made by hand, under a scheduler that crashes, delays, reorders and loses.
 * One seed is one history; the same seed is always the same history. The packages below, lowest first: replay, etcd, kube,
 * world, rules, trouble.
 */
package etcdoperator.simulation;
