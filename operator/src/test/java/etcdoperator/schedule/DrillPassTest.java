package etcdoperator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.DrillStatus.DrillResult;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The newest backup is tried by the clock or at once, one at a time, and what comes of it is written down. */
class DrillPassTest extends DrillStage {
    @Test
    void itWaitsForItsTime() throws Exception {
        world.has(schedule(DAILY));
        made("s-1", "2026-11-15T09:00:00Z");
        run();
        assertThat(drill().nextTime()).isEqualTo("2026-11-15T12:00:00Z");
        assertThat(drill().result()).isNull();
        assertThat(conditions().get("Drilled").getStatus()).isEqualTo("Unknown");
        assertThat(conditions().get("Drilled").getReason()).isEqualTo("NotYet");
        world.set("2026-11-15T11:59:30Z");
        assertThat(run()).isLessThan(Duration.ofSeconds(31));
    }

    @Test
    void theNewestThatIsCompleteIsTriedAndItsJobGoes() throws Exception {
        atNoon("s-1", "s-2");
        assertThat(world.job(NOON).getMetadata().getAnnotations()).containsEntry(Labels.DRILLED, "s-2");
        assertThat(drill().result()).isEqualTo(DrillResult.RUNNING);
        assertThat(drill().backup()).isEqualTo("s-2");
        run();
        world.jobEnds(NOON, "Complete", PASSED);
        world.set("2026-11-15T12:05:00Z");
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.PASSED);
        assertThat(drill().keys()).isEqualTo(5);
        assertThat(drill().revision()).isEqualTo(7);
        assertThat(drill().lastTime()).isEqualTo("2026-11-15T12:05:00Z");
        assertThat(drill().lastSuccessTime()).isEqualTo("2026-11-15T12:05:00Z");
        Condition drilled = conditions().get("Drilled");
        assertThat(drilled.getStatus()).isEqualTo("True");
        assertThat(drilled.getMessage())
                .contains("EtcdBackup s-2", "revision 7")
                .isEqualTo(drill().message());
        assertThat(world.sentences()).contains(drilled.getMessage());
        run();
        run();
        assertThat(jobs()).isEmpty();
        assertThat(toldOfDrills()).containsExactly("DrillStarted", "DrillPassed");
        assertThat(drill().nextTime()).isEqualTo("2026-11-16T12:00:00Z");
    }

    @Test
    void oneThatFailsIsSaidAndItsJobStaysUntilTheNext() throws Exception {
        atNoon("s-1");
        world.jobEnds(NOON, "Failed", "{\"state\":\"Failed\",\"message\":\"it holds 4 keys\"}");
        run();
        run();
        assertThat(drill().result()).isEqualTo(DrillResult.FAILED);
        assertThat(conditions().get("Drilled").getStatus()).isEqualTo("False");
        assertThat(conditions().get("Drilled").getMessage())
                .isEqualTo("EtcdBackup s-1 did not pass its drill: it holds 4 keys");
        assertThat(toldOfDrills()).containsExactly("DrillStarted", "DrillFailed");
        assertThat(jobs()).containsExactly(NOON);

        world.kube().annotate(world.scheduleNamed("s"), Map.of(Labels.DRILL_NOW, "again"));
        run();
        assertThat(jobs()).isEmpty();
        run();
        assertThat(jobs()).singleElement().asString().startsWith("s-drill-now-");
        // The verdict holds until there is another one.
        assertThat(conditions().get("Drilled").getStatus()).isEqualTo("False");
        assertThat(drill().result()).isEqualTo(DrillResult.RUNNING);
    }

    @Test
    void eachNewWishIsGrantedOnceEvenWithoutACalendar() throws Exception {
        world.has(schedule("suspend: true"));
        made("s-1", "2026-11-15T09:00:00Z");
        for (String wish : List.of("1", "2", "1")) {
            world.kube().annotate(world.scheduleNamed("s"), Map.of(Labels.DRILL_NOW, wish));
            run();
            run();
            assertThat(jobs()).hasSize(1);
            world.jobEnds(jobs().getFirst(), "Complete", PASSED);
            run();
            run();
            run();
            assertThat(jobs()).isEmpty();
        }
        assertThat(toldOfDrills()).hasSize(6);
    }

    @Test
    void whileOneRunsNoOtherIsStarted() throws Exception {
        atNoon("s-1");
        world.kube().annotate(world.scheduleNamed("s"), Map.of(Labels.DRILL_NOW, "too"));
        world.set("2026-11-16T12:00:30Z");
        run();
        run();
        assertThat(jobs()).containsExactly(NOON);
    }
}
