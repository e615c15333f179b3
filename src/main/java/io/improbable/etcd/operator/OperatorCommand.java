package io.improbable.etcd.operator;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.improbable.etcd.manifest.Addresses.IpFamily;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The role of the operator: waits for the lease, then tends clusters until it is stopped or loses the lease. */
@Command(
        name = "operator",
        description = "Tends the EtcdClusters of a Kubernetes cluster.",
        mixinStandardHelpOptions = true)
public final class OperatorCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorCommand.class);
    private static final Duration LEASE = Duration.ofSeconds(15);

    @Option(
            names = "--namespaces",
            defaultValue = "${env:WATCH_NAMESPACES:-}",
            description = "Namespaces to tend, separated by commas; empty for all. Environment: WATCH_NAMESPACES.")
    private String namespaces = "";

    @Option(
            names = "--http-port",
            defaultValue = "${env:HTTP_PORT:-8080}",
            description = "Port of /livez, /readyz and /metrics. Environment: HTTP_PORT.")
    private int httpPort = 8080;

    @Option(
            names = "--lease",
            defaultValue = "${env:LEASE_NAME:-etcd-operator}",
            description = "Name of the lease that one of several operators holds. Environment: LEASE_NAME.")
    private String lease = "etcd-operator";

    @Option(
            names = "--default-tls",
            defaultValue = "${env:DEFAULT_TLS:-NONE}",
            description = "What new clusters get whose manifests say nothing of TLS: ${COMPLETION-CANDIDATES}."
                    + " Environment: DEFAULT_TLS.")
    private Operator.DefaultTls defaultTls = Operator.DefaultTls.NONE;

    @Option(names = "--image", defaultValue = "${env:OPERATOR_IMAGE:-etcd-operator}", hidden = true)
    private String image = "etcd-operator";

    @Option(names = "--own-namespace", defaultValue = "${env:POD_NAMESPACE:-default}", hidden = true)
    private String ownNamespace = "default";

    @Option(names = "--identity", defaultValue = "${env:POD_NAME:-local}", hidden = true)
    private String identity = "local";

    @Option(names = "--pod-ip", defaultValue = "${env:POD_IP:-127.0.0.1}", hidden = true)
    private String podIp = "127.0.0.1";

    @Override
    public Integer call() throws Exception {
        var stopped = new CountDownLatch(1);
        var operator = new Operator(client(), watched(), identity, IpFamily.of(podIp), defaultTls, image);
        Runnable tend = () -> {
            operator.start();
            LOG.info("Tending {}", watched().isEmpty() ? "all namespaces" : watched());
        };
        var leadership = new Leadership(ownNamespace, lease, identity, LEASE, tend, operator::standBy);
        try (var http = new HttpEndpoints(httpPort, operator)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                operator.close();
                leadership.close();
                stopped.countDown();
            }));
            operator.fillCaches();
            leadership.start();
            stopped.await();
        }
        return 0;
    }

    private Set<String> watched() {
        return Stream.of(namespaces.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static KubernetesClient client() {
        // Retries are the queue's: it shows them, and a pass that hangs in a retry would hide them.
        var config = new ConfigBuilder()
                .withRequestRetryBackoffLimit(1)
                .withRequestTimeout(10_000)
                .withConnectionTimeout(5_000)
                .withHttp2Disable(true) // one connection that hangs must not hold up every request
                .withUserAgent("etcd-operator")
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
