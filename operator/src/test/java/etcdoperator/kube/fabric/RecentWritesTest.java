package etcdoperator.kube.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentWritesTest {
    private final AtomicLong nanos = new AtomicLong();
    private final RecentWrites recent = new RecentWrites(nanos::get);

    @Test
    void whatWasJustMadeIsThereBeforeTheWatchBringsIt() {
        recent.remember(map("a", 5));
        assertThat(over()).containsExactly(map("a", 5));
    }

    @Test
    void whatWasJustChangedIsSeenAsChanged() {
        recent.remember(map("a", 5));
        assertThat(over(map("a", 4), map("b", 3))).containsExactly(map("a", 5), map("b", 3));
    }

    @Test
    void whatTheWatchBroughtSinceIsNewer() {
        recent.remember(map("a", 5));
        assertThat(over(map("a", 6))).containsExactly(map("a", 6));
        assertThat(over(map("a", 5))).containsExactly(map("a", 5));
    }

    @Test
    void versionsAreComparedAsNumbers() {
        recent.remember(map("a", 10));
        assertThat(over(map("a", 9))).containsExactly(map("a", 10));
    }

    @Test
    void othersObjectsAreNotAdded() {
        recent.remember(map("a", 5));
        assertThat(recent.over(List.of(), ConfigMap.class, object -> false)).isEmpty();
    }

    @Test
    void kindsAndNamespacesAreKeptApart() {
        recent.remember(new ServiceBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("a")
                .withResourceVersion("9")
                .endMetadata()
                .build());
        assertThat(over(map("a", 5))).containsExactly(map("a", 5));
        assertThat(recent.over(List.of(), Service.class, object -> true)).hasSize(1);

        ConfigMap elsewhere = map("a", 9);
        elsewhere.getMetadata().setNamespace("other");
        recent.remember(elsewhere);
        assertThat(recent.over(
                        List.of(map("a", 5)),
                        ConfigMap.class,
                        object -> object.getMetadata().getNamespace().equals("ns")))
                .containsExactly(map("a", 5));
    }

    @Test
    void aDeletionThatTheWatchBroughtIsBelieved() {
        recent.remember(map("a", 5));
        recent.forget(map("a", 6));
        assertThat(over()).isEmpty();
    }

    @Test
    void aDeletionOfAnEarlierOneOfThatNameIsNot() {
        recent.remember(map("a", 5));
        recent.forget(map("a", 4));
        assertThat(over()).containsExactly(map("a", 5));
    }

    @Test
    void aDeletionOfAnotherOneChangesNothing() {
        recent.remember(map("a", 5));
        recent.forget(map("b", 6));
        assertThat(over()).containsExactly(map("a", 5));
    }

    @Test
    void aWatchThatStandsStillProvesNothing() {
        var reached = new AtomicLong(4);
        recent.followedBy(ConfigMap.class, reached::get);
        recent.remember(map("a", 5));
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        recent.expire();
        assertThat(over()).containsExactly(map("a", 5));
        reached.set(5);
        recent.expire();
        assertThat(over()).isEmpty();
    }

    @Test
    void everyWatchOfAKindMustHaveCaughtUp() {
        recent.followedBy(ConfigMap.class, () -> 9);
        recent.followedBy(ConfigMap.class, () -> 0);
        recent.followedBy(Service.class, () -> 9);
        recent.remember(map("a", 5));
        recent.expire();
        assertThat(over()).hasSize(1);
    }

    @Test
    void ofAKindThatNoWatchFollowsTimeDecides() {
        recent.remember(map("a", 5));
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        recent.expire();
        assertThat(over()).hasSize(1);
        nanos.addAndGet(1);
        recent.expire();
        assertThat(over()).isEmpty();
    }

    private List<ConfigMap> over(ConfigMap... cached) {
        return recent.over(List.of(cached), ConfigMap.class, object -> true);
    }

    private static ConfigMap map(String name, int version) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .withResourceVersion(Integer.toString(version))
                .endMetadata()
                .build();
    }
}
