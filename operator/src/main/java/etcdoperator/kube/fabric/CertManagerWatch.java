package etcdoperator.kube.fabric;

import etcdoperator.certmanager.Certificate;
import etcdoperator.domain.ClusterKey;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The Certificates of cert-manager, which may be there or not, or come later. They are looked for beside the passes. */
final class CertManagerWatch implements AutoCloseable {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Source source;
    private final Consumer<ClusterKey> wake;
    private final Executor beside;
    private final LongSupplier nanoTime;
    private final Set<ClusterKey> asking = new HashSet<>();
    private State state = new State.Unknown();
    private boolean looking;
    private long lookedAt;
    private @Nullable Watched<Certificate> certificates;

    /** Where Certificates come from. Its calls wait for the API server. */
    interface Source {
        boolean isThere();

        /** @return empty if they do not come in time */
        Optional<Watched<Certificate>> watch(Duration limit);
    }

    /** What is known of cert-manager. */
    sealed interface State {
        record Unknown() implements State {}

        /** It is watched, or it is not installed, which who places an order hears from the API server. */
        record Known() implements State {}

        record Unreadable(String why) implements State {}
    }

    CertManagerWatch(
            KubernetesClient client, Set<String> namespaces, Consumer<Certificate> changed, Consumer<ClusterKey> wake) {
        this(
                new Served(client, namespaces, changed),
                wake,
                Executors.newVirtualThreadPerTaskExecutor(),
                System::nanoTime);
    }

    CertManagerWatch(Source source, Consumer<ClusterKey> wake, Executor beside, LongSupplier nanoTime) {
        this.source = source;
        this.wake = wake;
        this.beside = beside;
        this.nanoTime = nanoTime;
        this.lookedAt = nanoTime.getAsLong() - LOOK_AGAIN.toNanos();
    }

    /** What is known now; whoever asks is woken when that changes. */
    synchronized State look(ClusterKey cluster) {
        boolean due = nanoTime.getAsLong() - lookedAt >= LOOK_AGAIN.toNanos();
        if (certificates == null) {
            asking.add(cluster);
            if (!looking && due) {
                looking = true;
                beside.execute(this::look);
            }
        }
        return state;
    }

    /** Looks before anybody asks, so that the first pass need not wait for it. */
    synchronized void lookAhead() {
        looking = true;
        beside.execute(this::look);
    }

    private void look() {
        State found = new State.Known();
        Optional<Watched<Certificate>> watched = Optional.empty();
        try {
            if (source.isThere()) {
                watched = source.watch(LONGEST);
                if (watched.isEmpty()) {
                    found = new State.Unreadable("the API server does not list them");
                }
            }
        } catch (RuntimeException e) {
            found = new State.Unreadable("the API server did not answer: " + e.getMessage());
        }
        keep(found, watched).forEach(wake);
    }

    private synchronized Set<ClusterKey> keep(State found, Optional<Watched<Certificate>> watched) {
        boolean news = !found.equals(state) || watched.isPresent();
        state = found;
        certificates = watched.orElse(null);
        looking = false;
        lookedAt = nanoTime.getAsLong();
        Set<ClusterKey> told = news ? Set.copyOf(asking) : Set.of();
        if (watched.isPresent()) {
            asking.clear();
        }
        return told;
    }

    List<Certificate> of(ClusterKey cluster) {
        Watched<Certificate> watched = watched();
        return watched == null ? List.of() : watched.of(cluster);
    }

    private synchronized @Nullable Watched<Certificate> watched() {
        return certificates;
    }

    @Override
    public void close() {
        Watched<Certificate> watched = watched();
        if (watched != null) {
            watched.close();
        }
    }

    /** As the API server has them. */
    private record Served(KubernetesClient client, Set<String> namespaces, Consumer<Certificate> changed)
            implements Source {
        @Override
        public boolean isThere() {
            return client.supports(Certificate.class);
        }

        @Override
        public Optional<Watched<Certificate>> watch(Duration limit) {
            Watched<Certificate> watched =
                    new Watched<>(client, Certificate.class, namespaces, Watched.label(Labels.CLUSTER), changed);
            watched.start();
            try {
                watched.filled().get(limit.toMillis(), TimeUnit.MILLISECONDS);
                return Optional.of(watched);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                // Looked for again, by whoever asks next.
            }
            watched.close();
            return Optional.empty();
        }
    }
}
