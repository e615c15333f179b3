package etcdoperator.bench;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Connections to all pods of one cluster that have an address now, whatever they are worth. */
final class Connections implements AutoCloseable {
    private static final int CLIENT_PORT = 2379;

    private final KubernetesClient client;
    private final String namespace;
    private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

    Connections(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    List<ManagedChannel> all() {
        try {
            return pods().stream()
                    .map(pod -> pod.getStatus().getPodIP())
                    .filter(Objects::nonNull)
                    .map(this::to)
                    .toList();
        } catch (KubernetesClientException e) {
            return List.copyOf(channels.values());
        }
    }

    /** Whose pod is on its way out, or gone: an etcd that is told to stop waits a second for clients of Java's kind to leave. */
    void leaveTheGone() {
        Set<String> there = pods().stream()
                .flatMap(pod -> Stream.ofNullable(pod.getStatus().getPodIP()))
                .collect(Collectors.toSet());
        channels.keySet().stream()
                .filter(address -> !there.contains(address))
                .forEach(address ->
                        Optional.ofNullable(channels.remove(address)).ifPresent(ManagedChannel::shutdownNow));
    }

    /** Those of the operator's cluster that are not on their way out. */
    List<Pod> pods() {
        return client
                .pods()
                .inNamespace(namespace)
                .withLabel("etcd.improbable.io/cluster-name")
                .list()
                .getItems()
                .stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }

    private ManagedChannel to(String address) {
        return channels.computeIfAbsent(
                address,
                host -> NettyChannelBuilder.forAddress(host, CLIENT_PORT)
                        .usePlaintext()
                        .disableRetry()
                        .build());
    }
}
