package etcdoperator.operator;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.DrillStatus;
import etcdoperator.api.backup.DrillStatus.DrillResult;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DrillFiguresTest {
    @Test
    void theyAreOfAllSchedulesTogether() {
        DrillFigures figures = figures(
                "{result: Passed, startTime: '1970-01-01T00:01:00Z', lastTime: '1970-01-01T00:02:00Z', lastSuccessTime: '1970-01-01T00:02:00Z'}",
                "{result: Failed, startTime: '1970-01-01T00:05:00Z', lastTime: '1970-01-01T00:05:10Z', lastSuccessTime: '1970-01-01T00:00:30Z'}",
                "{result: Running, startTime: '1970-01-01T02:00:00Z', lastTime: '1970-01-01T00:03:00Z', lastSuccessTime: '1970-01-01T00:03:00Z'}",
                "{nextTime: '1970-01-02T00:00:00Z'}");
        assertThat(Stream.of(DrillResult.values()).map(figures::count)).containsOnly(1L);
        assertThat(figures.last()).isEqualTo(310);
        assertThat(figures.oldestSuccess()).isEqualTo(30);
        assertThat(figures.longest()).isEqualTo(60);
    }

    @Test
    void oneThatHasOnlyFailedHasPassedNever() {
        DrillFigures figures = figures(
                "{result: Passed, lastTime: '1970-01-01T00:02:00Z', lastSuccessTime: '1970-01-01T00:02:00Z'}",
                "{result: Failed, lastTime: '1970-01-01T00:05:10Z'}");
        assertThat(figures.oldestSuccess()).isZero();
    }

    @Test
    void whereNothingIsTriedTheyAreZero() {
        DrillFigures none = figures();
        assertThat(none.last() + none.oldestSuccess() + none.longest()).isZero();
    }

    private static DrillFigures figures(String... drills) {
        List<DrillStatus> all = Stream.of(drills)
                .map(drill -> Serialization.unmarshal("---\n" + drill, DrillStatus.class))
                .toList();
        return new DrillFigures(() -> all);
    }
}
