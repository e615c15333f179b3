package etcdoperator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.DrillStatus.DrillResult;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the pod that fetches a backup may have an identity, another Job restores it, on a claim that both see. */
class DrillApartTest extends DrillStage {
    private static final String FETCH = "s-fetch-202611151200";
    private static final String FETCHED = "{\"state\":\"Completed\",\"message\":\"it is fetched\"}";

    @Test
    void oneJobFetchesAndTheNextRestores() throws Exception {
        begin();
        assertThat(jobs()).containsExactly(FETCH);
        assertThat(claims()).containsExactly(NOON);
        assertThat(drill().result()).isEqualTo(DrillResult.RUNNING);
        assertThat(drill().job()).isEqualTo(NOON);
        run();
        assertThat(jobs()).containsExactly(FETCH);

        world.jobEnds(FETCH, "Complete", FETCHED);
        world.pass(Duration.ofMinutes(10));
        run();
        assertThat(jobs()).containsExactlyInAnyOrder(FETCH, NOON);
        PodSpec pod = world.job(NOON).getSpec().getTemplate().getSpec();
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getServiceAccountName()).isNull();
        assertThat(world.job(NOON).getSpec().getActiveDeadlineSeconds()).isEqualTo(3000);
        assertThat(drill().result()).isEqualTo(DrillResult.RUNNING);

        world.jobEnds(NOON, "Complete", PASSED);
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.PASSED);
        assertThat(drill().keys()).isEqualTo(5);
        run();
        run();
        assertThat(jobs()).isEmpty();
        assertThat(claims()).isEmpty();
        assertThat(toldOfDrills()).containsExactly("DrillStarted", "DrillPassed");
    }

    @Test
    void whatFailsTakesNoRoomAndCanBeRead() throws Exception {
        begin();
        world.jobEnds(FETCH, "Failed", "{\"state\":\"Failed\",\"message\":\"access was denied\"}");
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.FAILED);
        assertThat(conditions().get("Drilled").getMessage())
                .isEqualTo("EtcdBackup s-1 did not pass its drill: access was denied");
        run();
        run();
        assertThat(jobs()).isEmpty();
        assertThat(claims()).isEmpty();
        assertThat(drill().result()).isEqualTo(DrillResult.FAILED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void aDeathAtAnyEffectDoublesNoDrillAndLeavesNothing(int effect) throws Exception {
        world.has(schedule(DAILY + "\nsuspend: false\nstartingDeadline: 10s"));
        world.has(apart("s-1", "2026-11-15T09:00:00Z"));
        world.kube().dieAtWrite(effect, true);
        runThroughDeath();
        world.set("2026-11-15T12:00:30Z");
        runThroughDeath();
        if (jobs().contains(FETCH)) {
            world.jobEnds(FETCH, "Complete", FETCHED);
        }
        runThroughDeath();
        if (jobs().contains(NOON)) {
            world.jobEnds(NOON, "Complete", PASSED);
        }
        runThroughDeath();
        for (String job : List.of(FETCH, NOON)) {
            assertThat(world.effects().stream().filter(("create Job " + job)::equals))
                    .hasSize(1);
        }
        assertThat(drill().result()).isEqualTo(DrillResult.PASSED);
        assertThat(jobs()).isEmpty();
        assertThat(claims()).isEmpty();
    }

    @Test
    void aClaimThatIsRefusedHoldsUpNoBackup() throws Exception {
        world.kube().refuse("create PersistentVolumeClaim", "exceeded quota: storage");
        begin();
        assertThat(conditions().get("Drilled").getMessage()).isEqualTo("exceeded quota: storage");
        assertThat(conditions().get("Ready").getStatus()).isEqualTo("True");
        world.kube().allow("create PersistentVolumeClaim");
        run();
        assertThat(jobs()).containsExactly(FETCH);
    }

    /** Its Job is named as the whole drill, and does all of it. */
    @Test
    void aDrillThatAFormerOperatorBeganStillEnds() throws Exception {
        world.has(schedule(DAILY));
        made("s-1", "2026-11-15T09:00:00Z");
        run();
        world.set("2026-11-15T12:00:30Z");
        run();
        assertThat(jobs()).containsExactly(NOON);
        world.changes(apart("s-1", "2026-11-15T09:00:00Z"));
        run();
        assertThat(jobs()).containsExactly(NOON);
        world.jobEnds(NOON, "Complete", PASSED);
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.PASSED);
    }

    @Test
    void anotherOneIsWantedAtOnce() throws Exception {
        begin();
        world.jobEnds(FETCH, "Complete", FETCHED);
        world.kube().annotate(world.scheduleNamed("s"), Map.of(Labels.DRILL_NOW, "too"));
        run();
        world.jobEnds(NOON, "Complete", PASSED);
        for (int pass = 0; pass < 4; pass++) {
            run();
        }
        assertThat(jobs()).singleElement().asString().startsWith("s-fetch-now-");
        assertThat(claims()).singleElement().asString().startsWith("s-drill-now-");
    }

    private void begin() throws Exception {
        world.has(schedule(DAILY));
        world.has(apart("s-1", "2026-11-15T09:00:00Z"));
        run();
        world.set("2026-11-15T12:00:30Z");
        run();
    }

    private List<String> claims() {
        return world.schedule(KEY).orElseThrow().drillClaims().stream()
                .map((PersistentVolumeClaim claim) -> claim.getMetadata().getName())
                .toList();
    }

    private static EtcdBackup apart(String name, String completed) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: %s, labels: {etcd.improbable.io/schedule: s}}
                spec: {source: {cluster: c}, destination: {bucket: {bucketURL: "s3://backups"}}, serviceAccountName: backups}
                status: {phase: Completed, path: p, revision: 7, sizeBytes: 1000, etcdVersion: 3.6.16, completionTime: "%s"}
                """.formatted(name, completed), EtcdBackup.class);
    }
}
