package etcdoperator.kube.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.ClusterKey;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NamedSecretsTest {
    private static final ClusterKey ONE = new ClusterKey("ns", "one");
    private static final ClusterKey OTHER = new ClusterKey("ns", "other");

    private final Map<String, Runnable> open = new TreeMap<>();
    private final List<ClusterKey> woken = new ArrayList<>();
    private final NamedSecrets<ClusterKey> secrets = new NamedSecrets<>(Fake::new, ClusterKey::namespace, woken::add);

    @Test
    void whatIsNamedIsReadAndWakesThoseWhoNameIt() {
        assertThat(secrets.of(ONE, Set.of("a")))
                .extracting(secret -> secret.getMetadata().getName())
                .containsExactly("a");
        secrets.of(OTHER, Set.of("a", "b"));
        open.get("ns/a").run();
        assertThat(woken).containsExactlyInAnyOrder(ONE, OTHER);
        woken.clear();
        open.get("ns/b").run();
        assertThat(woken).containsExactly(OTHER);
    }

    @Test
    void whatNobodyNamesAnyMoreIsNotWatched() {
        secrets.of(ONE, Set.of("a", "b"));
        secrets.of(OTHER, Set.of("a"));
        secrets.of(ONE, Set.of());
        assertThat(open).containsOnlyKeys("ns/a");
        secrets.release(OTHER);
        assertThat(open).isEmpty();
    }

    @Test
    void whatIsStillNamedIsNotBegunAnew() {
        secrets.of(ONE, Set.of("a"));
        Runnable first = open.get("ns/a");
        secrets.of(ONE, Set.of("a", "b"));
        assertThat(open.get("ns/a")).isSameAs(first);
    }

    @Test
    void itIsWatchingWhileEveryWatchRuns() {
        assertThat(secrets.isWatching()).isTrue();
        secrets.of(ONE, Set.of("a"));
        assertThat(secrets.isWatching()).isTrue();
        open.clear();
        assertThat(secrets.isWatching()).isFalse();
    }

    @Test
    void theEndEndsAll() {
        secrets.of(ONE, Set.of("a", "b"));
        secrets.close();
        assertThat(open).isEmpty();
    }

    private final class Fake implements NamedSecrets.Watch {
        private final NamedSecrets.Name name;

        Fake(NamedSecrets.Name name, Runnable changed) {
            this.name = name;
            open.put(key(), changed);
        }

        private String key() {
            return name.namespace() + "/" + name.name();
        }

        @Override
        public Optional<Secret> read() {
            var metadata = new ObjectMetaBuilder()
                    .withNamespace(name.namespace())
                    .withName(name.name())
                    .build();
            return Optional.of(new SecretBuilder().withMetadata(metadata).build());
        }

        @Override
        public boolean isRunning() {
            return open.containsKey(key());
        }

        @Override
        public void close() {
            open.remove(key());
        }
    }
}
