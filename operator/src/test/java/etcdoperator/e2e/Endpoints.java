package etcdoperator.e2e;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The members that a client could turn to now; they come and go. */
final class Endpoints implements AutoCloseable {
    private final TestCluster cluster;
    private final Optional<Login> login;
    private final Map<Door, Etcd> connections = new ConcurrentHashMap<>();
    private final AtomicInteger turn = new AtomicInteger();
    private volatile List<Door> doors = List.of();

    Endpoints(TestCluster cluster, Optional<Login> login) {
        this.cluster = cluster;
        this.login = login;
        refresh();
    }

    /** Any of them, each in its turn; there may be none. */
    List<Etcd> anyOne() {
        List<Door> known = doors;
        return known.isEmpty()
                ? List.of()
                : List.of(connection(known.get(Math.floorMod(turn.getAndIncrement(), known.size()))));
    }

    List<Etcd> all() {
        refresh();
        return doors.stream().map(this::connection).toList();
    }

    void refresh() {
        try {
            doors = cluster.pods().stream()
                    .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                    .filter(pod -> pod.getStatus().getPodIP() != null)
                    .map(pod -> Door.of(pod).as(login))
                    .toList();
        } catch (KubernetesClientException e) {
            // the API server is away: the old ones are as good as any
        }
    }

    @Override
    public void close() {
        connections.values().forEach(Etcd::close);
    }

    private Etcd connection(Door door) {
        return connections.computeIfAbsent(door, Etcd::new);
    }
}
