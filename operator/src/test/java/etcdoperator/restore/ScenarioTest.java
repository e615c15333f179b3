package etcdoperator.restore;

import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.cluster.scenario.ScenarioCheck;
import etcdoperator.cluster.scenario.ScenarioFolder;
import etcdoperator.cluster.scenario.StepWords;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every folder of scenarios-restore: from what is seen of an EtcdRestore to what is done and said. */
class ScenarioTest {
    static final Path ALL = Path.of("operator/src/test/resources/scenarios-restore");

    @TestFactory
    Stream<DynamicTest> whatIsSeenLeadsToStepAndStatus() {
        return ScenarioFolder.tests(ALL, ScenarioTest::check);
    }

    static void check(ScenarioFolder folder) {
        RestoreView view = new ScenarioView(folder).view();
        Step step = Planner.next(view);
        ScenarioCheck.check(folder, StepWords.of((Record) step), ScenarioCheck.status(after(view, step)), Map.of());
    }

    /** What changes the object itself, or comes after its end, leaves its status alone; see RestorePass. */
    private static EtcdRestoreStatus after(RestoreView view, Step step) {
        boolean over = view.deleted() || view.status().hasEnded();
        return switch (step) {
            case Step.Rest _, Step.Hold _, Step.LetGo _, Step.Dismiss _, Step.Discard _ -> view.status();
            case Step.Correct _, Step.Forget _ -> view.status();
            case Step.Raise _ when over -> view.status();
            case Step.Remember _, Step.PutBack _ when view.status().hasEnded() -> view.status();
            default -> Report.of(view, step, 7L, ScenarioFolder.NOW);
        };
    }
}
