package etcdoperator.operator;

import etcdoperator.commandline.Flag;
import etcdoperator.commandline.Role;
import etcdoperator.domain.AllowedEndpoints;
import etcdoperator.kube.fabric.ResponseDates;
import etcdoperator.manifest.Addresses.IpFamily;
import etcdoperator.manifest.AgentSetup;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The role of the operator: waits for the lease, then tends clusters until it is stopped or loses the lease. */
public final class OperatorCommand implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorCommand.class);
    private static final Duration LEASE = Duration.ofSeconds(15);

    @Flag(
            name = "--namespaces",
            variable = "WATCH_NAMESPACES",
            description = "Namespaces to tend, separated by commas; empty for all.")
    private String namespaces = "";

    @Flag(name = "--http-port", variable = "HTTP_PORT", description = "Port of /livez, /readyz and /metrics.")
    private int httpPort = 8080;

    @Flag(
            name = "--lease",
            variable = "LEASE_NAME",
            description = "Name of the lease that one of several operators holds.")
    private String lease = "etcd-operator";

    @Flag(
            name = "--default-tls",
            variable = "DEFAULT_TLS",
            description = "What new clusters get whose manifests say nothing of TLS: NONE or MANAGED.")
    private Operator.DefaultTls defaultTls = Operator.DefaultTls.NONE;

    @Flag(
            name = "--store-endpoints",
            variable = "STORE_ENDPOINTS",
            description = "Endpoints of object stores that buckets may name besides the providers' own, separated by"
                    + " commas: https://HOST, https://*.DOMAIN, https://*, with http for plaintext; or none.")
    private String storeEndpoints = AllowedEndpoints.USUAL;

    @Flag(name = "--image", variable = "OPERATOR_IMAGE")
    private String image = "etcd-operator";

    @Flag(name = "--own-namespace", variable = "POD_NAMESPACE")
    private String ownNamespace = "default";

    @Flag(name = "--identity", variable = "POD_NAME")
    private String identity = "local";

    @Flag(name = "--pod-ip", variable = "POD_IP")
    private String podIp = "127.0.0.1";

    @Override
    public String purpose() {
        return "Tends the EtcdClusters of a Kubernetes cluster.";
    }

    @Override
    public Integer call() throws Exception {
        var stopped = new CountDownLatch(1);
        var dates = new ResponseDates(System::nanoTime);
        var agents = new AgentSetup(image, AllowedEndpoints.parse(storeEndpoints));
        var operator = new Operator(client(dates), dates, watched(), identity, IpFamily.of(podIp), defaultTls, agents);
        Runnable tend = () -> {
            operator.start();
            LOG.info("Tending {}", watched().isEmpty() ? "all namespaces" : watched());
        };
        var leadership = new Leadership(ownNamespace, lease, identity, LEASE, dates, tend, operator::standBy);
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

    private static KubernetesClient client(ResponseDates dates) {
        // Retries are the queue's: it shows them, and a pass that hangs in a retry would hide them.
        var config = new ConfigBuilder()
                .withRequestRetryBackoffLimit(1)
                .withRequestTimeout(10_000)
                .withConnectionTimeout(5_000)
                .withHttp2Disable(true) // one connection that hangs must not hold up every request
                .withUserAgent("etcd-operator")
                .build();
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("dates", dates))
                .build();
    }
}
