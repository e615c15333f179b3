package etcdoperator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriftTest {
    @Test
    void whatWasAskedForIsNoDrift() {
        assertThat(Drift.between(desired(), asStored())).isFalse();
    }

    @Test
    void whatOthersSetAndDefaultsDoNotCount() {
        ReplicaSet actual = asStored();
        actual.getMetadata().setUid("u9");
        actual.getMetadata().getLabels().put("team", "storage");
        actual.getMetadata().getAnnotations().put("note", "hello");
        actual.getSpec().getTemplate().getSpec().setRestartPolicy("Always");
        actual.getSpec().getTemplate().getSpec().getContainers().getFirst().setTerminationMessagePath("/dev/log");
        assertThat(Drift.between(desired(), actual)).isFalse();
    }

    @Test
    void aFieldOfOursThatWasChangedIsDrift() {
        ReplicaSet actual = asStored();
        actual.getSpec().setReplicas(0);
        assertThat(Drift.between(desired(), actual)).isTrue();
    }

    @Test
    void aFieldOfOursThatWasRemovedIsDrift() {
        ReplicaSet actual = asStored();
        actual.getMetadata().getLabels().remove("app");
        assertThat(Drift.between(desired(), actual)).isTrue();
    }

    @Test
    void alsoOneThatSaysNo() {
        ReplicaSet actual = asStored();
        actual.getSpec().getTemplate().getSpec().setEnableServiceLinks(null);
        assertThat(Drift.between(desired(), actual)).isTrue();
    }

    @Test
    void listsAreComparedInOrderAndWhole() {
        ReplicaSet longer = asStored();
        longer.getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getArgs()
                .add("--more");
        assertThat(Drift.between(desired(), longer)).isTrue();

        ReplicaSet other = asStored();
        other.getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getArgs()
                .set(0, "--other");
        assertThat(Drift.between(desired(), other)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1000m,1", "0.5,500m", "1024Mi,1Gi", "1e3,1k"})
    void quantitiesAreTheSameHoweverTheyAreWritten(String ours, String theirs) {
        ReplicaSet desired = Drift.stamped(with(ours));
        ReplicaSet actual = Serialization.clone(desired);
        setCpu(actual, theirs);
        assertThat(Drift.between(desired, actual)).isFalse();
    }

    @Test
    void otherQuantitiesAreDrift() {
        ReplicaSet actual = asStored();
        setCpu(actual, "2");
        assertThat(Drift.between(desired(), actual)).isTrue();
    }

    @Test
    void aFieldThatIsNoLongerAskedForIsNoticed() {
        ConfigMap before = Drift.stamped(map(Map.of("a", "1", "b", "2")));
        ConfigMap now = Drift.stamped(map(Map.of("a", "1")));
        assertThat(Drift.between(now, before)).isTrue();
        assertThat(Drift.between(before, before)).isFalse();
    }

    /** The API server leaves out an empty text, so its absence is what was asked for. */
    @Test
    void anEmptyTextThatTheApiServerDroppedIsNoDrift() {
        ReplicaSet desired = Drift.stamped(with("1"));
        desired.getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getEnv()
                .getFirst()
                .setValue("");
        ReplicaSet actual = Serialization.clone(desired);
        actual.getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getEnv()
                .getFirst()
                .setValue(null);
        assertThat(Drift.between(desired, actual)).isFalse();
    }

    /** Another process lists the same map in another order; that alone must not cost a write at every start. */
    @Test
    void theOrderOfLabelsIsNoDrift() {
        ReplicaSet one = with("1");
        ReplicaSet other = with("1");
        one.getMetadata().setLabels(new LinkedHashMap<>(Map.of("a", "1")));
        one.getMetadata().getLabels().put("b", "2");
        other.getMetadata().setLabels(new LinkedHashMap<>(Map.of("b", "2")));
        other.getMetadata().getLabels().put("a", "1");
        assertThat(Drift.between(Drift.stamped(one), Drift.stamped(other))).isFalse();
    }

    @Test
    void wordsAreNotTakenForQuantities() {
        assertThat(Drift.between(
                        Drift.stamped(map(Map.of("a", "fast"))), with(map(Map.of("a", "slow")), Map.of("a", "fast"))))
                .isTrue();
    }

    private static ConfigMap with(ConfigMap actual, Map<String, String> asked) {
        actual.getMetadata()
                .setAnnotations(Drift.stamped(map(asked)).getMetadata().getAnnotations());
        return actual;
    }

    private static ConfigMap map(Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("m")
                .endMetadata()
                .withData(data)
                .build();
    }

    private static ReplicaSet desired() {
        return Drift.stamped(with("1"));
    }

    private static ReplicaSet asStored() {
        return Serialization.clone(desired());
    }

    private static void setCpu(ReplicaSet set, String cpu) {
        set.getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getResources()
                .getLimits()
                .put("cpu", new io.fabric8.kubernetes.api.model.Quantity(cpu));
    }

    private static ReplicaSet with(String cpu) {
        return Serialization.unmarshal("""
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: c-0, labels: {app: etcd}}
                spec:
                  replicas: 1
                  template:
                    spec:
                      enableServiceLinks: false
                      containers:
                      - name: etcd
                        args: [--a, --b]
                        env: [{name: A, value: x}]
                        resources: {limits: {cpu: "%s"}}
                """.formatted(cpu), ReplicaSet.class);
    }
}
