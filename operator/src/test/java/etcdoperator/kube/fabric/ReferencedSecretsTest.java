package etcdoperator.kube.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.domain.ClusterKey;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReferencedSecretsTest {
    private static final ClusterKey ONE = new ClusterKey("ns", "one");
    private static final ClusterKey OTHER = new ClusterKey("ns", "other");

    private final Map<String, String> versions = new ConcurrentHashMap<>();
    private final Map<String, String> data = new ConcurrentHashMap<>();
    private final List<String> reads = new CopyOnWriteArrayList<>();
    private final List<ClusterKey> woken = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final ReferencedSecrets<ClusterKey> secrets = new ReferencedSecrets<>(
            name -> Optional.ofNullable(versions.get(name.name())), this::read, ClusterKey::namespace, woken::add);

    @AfterEach
    void close() {
        end.countDown();
        secrets.close();
    }

    @Test
    void whatIsNamedIsReadBesideThePassAndWakesWhoNamesIt() {
        exists("a", "1");
        assertThat(secrets.of(ONE, Set.of("a")).pending()).containsExactly("a");
        await().untilAsserted(() -> assertThat(woken).containsExactly(ONE));
        assertThat(found(ONE, "a")).containsExactly("a 1");
        assertThat(secrets.of(ONE, Set.of("a")).pending()).isEmpty();
        assertThat(reads).containsExactly("a");
    }

    @Test
    void anotherVersionIsReadAndWakesEveryReader() {
        exists("a", "1");
        found(ONE, "a");
        found(OTHER, "a");
        woken.clear();
        exists("a", "2");
        secrets.changed(new SecretName("ns", "a"));
        await().untilAsserted(() -> assertThat(woken).containsExactlyInAnyOrder(ONE, OTHER));
        assertThat(found(ONE, "a")).containsExactly("a 2");
    }

    @Test
    void theSameVersionIsNotReadAgain() {
        exists("a", "1");
        found(ONE, "a");
        secrets.changed(new SecretName("ns", "a"));
        found(OTHER, "a");
        assertThat(reads).containsExactly("a");
    }

    /** A name that no Secret can have is looked up like any other, and never sent to the API server. */
    @Test
    void whatIsNotThereCostsNoRequest() {
        assertThat(secrets.of(ONE, Set.of("a=b", "missing", ""))).satisfies(result -> {
            assertThat(result.found()).isEmpty();
            assertThat(result.pending()).isEmpty();
            assertThat(result.unreadable()).isEmpty();
        });
        assertThat(reads).isEmpty();
    }

    @Test
    void whatIsMadeLaterWakesItsReader() {
        secrets.of(ONE, Set.of("a"));
        exists("a", "1");
        secrets.changed(new SecretName("ns", "a"));
        await().untilAsserted(() -> assertThat(woken).contains(ONE));
        assertThat(found(ONE, "a")).containsExactly("a 1");
    }

    @Test
    void whatIsDeletedIsGone() {
        exists("a", "1");
        found(ONE, "a");
        woken.clear();
        versions.remove("a");
        secrets.changed(new SecretName("ns", "a"));
        await().untilAsserted(() -> assertThat(woken).containsExactly(ONE));
        assertThat(secrets.of(ONE, Set.of("a")).found()).isEmpty();
    }

    @Test
    void whatCannotBeReadIsSaidAndTriedAgain() {
        exists("a", "1");
        data.put("a", "forbidden");
        secrets.of(ONE, Set.of("a"));
        await().untilAsserted(() -> assertThat(secrets.of(ONE, Set.of("a")).unreadable())
                .containsEntry("a", "the API server did not answer: forbidden"));
        assertThat(secrets.of(ONE, Set.of("a")).pending()).isEmpty();
        data.put("a", "");
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () -> assertThat(secrets.of(ONE, Set.of("a")).found()).hasSize(1));
    }

    /** One Secret that the API server does not give holds up the reading of no other. */
    @Test
    void aReadThatHangsDelaysNoOther() {
        for (String name : names(40)) {
            exists(name, "1");
            data.put(name, "hangs");
        }
        exists("a", "1");
        long began = System.nanoTime();
        secrets.of(ONE, Set.copyOf(names(40)));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
        var elsewhere = new ClusterKey("elsewhere", "c");
        await().atMost(Duration.ofSeconds(2))
                .untilAsserted(() ->
                        assertThat(secrets.of(elsewhere, Set.of("a")).found()).hasSize(1));
    }

    @Test
    void whatNobodyNamesAnyMoreIsForgotten() {
        exists("a", "1");
        found(ONE, "a");
        secrets.release(ONE);
        secrets.changed(new SecretName("ns", "a"));
        found(ONE, "a");
        assertThat(reads).containsExactly("a", "a");
    }

    @Test
    void aSecretMayHaveSoMuchAndANamespaceSoMuchTogether() {
        exists("big", "1");
        data.put("big", "size " + (ReferencedSecrets.LARGEST + 1));
        await().untilAsserted(() -> assertThat(secrets.of(ONE, Set.of("big")).unreadable())
                .containsEntry("big", "it has more than 512 KiB"));
        List<String> many = names(ReferencedSecrets.MOST_IN_NAMESPACE / ReferencedSecrets.LARGEST + 1);
        for (String name : many) {
            exists(name, "1");
            data.put(name, "size " + (ReferencedSecrets.LARGEST - 1));
        }
        await().untilAsserted(() -> {
            ReferencedSecrets.Result result = secrets.of(ONE, Set.copyOf(many));
            assertThat(result.pending()).isEmpty();
            assertThat(result.unreadable()).isNotEmpty();
            assertThat(result.found()).hasSizeBetween(1, many.size() - 1);
        });
        exists("a", "1");
        var elsewhere = new ClusterKey("elsewhere", "c");
        await().untilAsserted(() ->
                assertThat(secrets.of(elsewhere, Set.of("a")).found()).hasSize(1));
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "s" + i).toList();
    }

    private void exists(String name, String version) {
        versions.put(name, version);
    }

    private List<String> found(ClusterKey reader, String... names) {
        await().untilAsserted(() ->
                assertThat(secrets.of(reader, Set.of(names)).pending()).isEmpty());
        return secrets.of(reader, Set.of(names)).found().stream()
                .map(secret -> secret.getMetadata().getName() + " "
                        + secret.getMetadata().getResourceVersion())
                .sorted()
                .collect(Collectors.toList());
    }

    private Optional<Secret> read(SecretName name) {
        reads.add(name.name());
        String how = data.getOrDefault(name.name(), "");
        if (how.equals("hangs")) {
            awaitEnd();
        }
        if (how.equals("forbidden")) {
            throw new KubernetesClientException("forbidden");
        }
        String text = how.startsWith("size ") ? "x".repeat(Integer.parseInt(how.substring(5))) : "";
        return Optional.ofNullable(versions.get(name.name()))
                .map(version -> new SecretBuilder()
                        .withMetadata(new ObjectMetaBuilder()
                                .withNamespace(name.namespace())
                                .withName(name.name())
                                .withResourceVersion(version)
                                .build())
                        .withData(Map.of("k", text))
                        .build());
    }

    private void awaitEnd() {
        try {
            end.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
