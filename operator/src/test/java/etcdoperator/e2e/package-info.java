/**
 * The whole product on a real three-node Kubernetes: the operator runs as a pod, etcd runs in pods, faults are real.
 *
 * <p>Each test has a namespace of its own and runs beside the others. A class that disturbs the operator, the API
 * server or a node is {@link org.junit.jupiter.api.parallel.Isolated @Isolated}, which puts it after all of those;
 * {@code @Order} says in which order. Tests wait for what shall come to be, and never for time to pass.
 *
 * <p>A topic with several classes has a package below this one. {@code fixture} contains what all of them use.
 */
package etcdoperator.e2e;
