package etcdoperator.kube.fabric;

import etcdoperator.domain.ClusterKey;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One kind of object, watched in one namespace, several or all, and found by the cluster its label names. */
final class Watched<T extends HasMetadata> implements AutoCloseable {
    static final Filter EVERYTHING = new Filter(Optional.empty(), Map.of());

    private static final Logger LOG = LoggerFactory.getLogger(Watched.class);
    private static final String BY_CLUSTER = "cluster";

    private final List<SharedIndexInformer<T>> informers;
    private final Class<T> type;
    private List<CompletableFuture<Void>> filled = List.of();

    /** What to watch for. */
    record Filter(Optional<String> label, Map<String, String> fields) {}

    static Filter label(String name) {
        return new Filter(Optional.of(name), Map.of());
    }

    static Filter fields(Map<String, String> fields) {
        return new Filter(Optional.empty(), fields);
    }

    Watched(
            KubernetesClient client,
            Class<T> type,
            Set<String> namespaces,
            Filter filter,
            Consumer<? super T> changed) {
        this(client, type, namespaces, filter, changed, Optional.empty());
    }

    /** @param recent what this process writes of this kind */
    Watched(
            KubernetesClient client,
            Class<T> type,
            Set<String> namespaces,
            Filter filter,
            Consumer<? super T> changed,
            RecentWrites recent) {
        this(client, type, namespaces, filter, changed, Optional.of(recent));
        recent.followedBy(type, this::reached);
    }

    private Watched(
            KubernetesClient client,
            Class<T> type,
            Set<String> namespaces,
            Filter filter,
            Consumer<? super T> changed,
            Optional<RecentWrites> recent) {
        this.type = type;
        Consumer<T> deleted = object -> recent.ifPresent(writes -> writes.forget(object));
        Stream<FilterWatchListDeletable<T, KubernetesResourceList<T>, Resource<T>>> scopes = namespaces.isEmpty()
                ? Stream.of(client.resources(type).inAnyNamespace())
                : namespaces.stream().map(client.resources(type)::inNamespace);
        this.informers =
                scopes.map(scope -> informer(scope, filter, changed, deleted)).toList();
    }

    /** The cluster that an object says it belongs to. */
    static Optional<ClusterKey> clusterOf(HasMetadata object) {
        return Optional.ofNullable(object.getMetadata().getLabels().get(Labels.CLUSTER))
                .map(name -> new ClusterKey(object.getMetadata().getNamespace(), name));
    }

    void start() {
        filled = informers.stream()
                .map(informer -> informer.start().toCompletableFuture())
                .toList();
    }

    void awaitFilled() {
        filled.forEach(CompletableFuture::join);
    }

    boolean isRunning() {
        return informers.stream().allMatch(SharedIndexInformer::isRunning);
    }

    /** The resource version up to which everything was brought; the API server tells it of idle kinds, too, in bookmarks. */
    private long reached() {
        return informers.stream()
                .map(SharedIndexInformer::lastSyncResourceVersion)
                .mapToLong(version -> version == null || version.isEmpty() ? 0 : Long.parseLong(version))
                .min()
                .orElse(0);
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::stop);
    }

    Optional<T> get(String namespace, String name) {
        String key = Cache.namespaceKeyFunc(namespace, name);
        return informers.stream()
                .map(informer -> informer.getIndexer().getByKey(key))
                .filter(Objects::nonNull)
                .findFirst();
    }

    Stream<T> all() {
        return informers.stream().flatMap(informer -> informer.getIndexer().list().stream());
    }

    List<T> of(ClusterKey cluster) {
        return informers.stream()
                .flatMap(informer -> informer.getIndexer().byIndex(BY_CLUSTER, cluster.toString()).stream())
                .toList();
    }

    List<T> inNamespace(String namespace) {
        return informers.stream()
                .flatMap(informer -> informer.getIndexer().byIndex(Cache.NAMESPACE_INDEX, namespace).stream())
                .toList();
    }

    private SharedIndexInformer<T> informer(
            FilterWatchListDeletable<T, KubernetesResourceList<T>, Resource<T>> scope,
            Filter filter,
            Consumer<? super T> changed,
            Consumer<? super T> deleted) {
        var labelled = filter.label().map(scope::withLabel).orElse(scope);
        return labelled.withFields(filter.fields())
                .runnableInformer(0)
                .itemStore(new SlimItemStore<>())
                .addIndexers(Map.of(
                        BY_CLUSTER,
                        object -> clusterOf(object)
                                .map(ClusterKey::toString)
                                .map(List::of)
                                .orElse(List.of())))
                .addEventHandler(handler(changed, deleted))
                // A watch that breaks is made anew for ever: giving up would leave a cache that looks alive.
                .exceptionHandler((started, failure) -> {
                    LOG.warn("Watching {} failed and is tried again: {}", type.getSimpleName(), failure.toString());
                    return true;
                });
    }

    private static <T> ResourceEventHandler<T> handler(Consumer<? super T> changed, Consumer<? super T> deleted) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                changed.accept(object);
            }

            @Override
            public void onUpdate(T before, T after) {
                changed.accept(after);
            }

            @Override
            public void onDelete(T object, boolean finalStateUnknown) {
                deleted.accept(object);
                changed.accept(object);
            }
        };
    }
}
