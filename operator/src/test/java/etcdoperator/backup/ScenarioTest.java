package etcdoperator.backup;

import etcdoperator.cluster.scenario.ScenarioCheck;
import etcdoperator.cluster.scenario.ScenarioFolder;
import etcdoperator.cluster.scenario.StepWords;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every folder of scenarios-backup: from what is seen of an EtcdBackup to what is done and said. */
class ScenarioTest {
    static final Path ALL = Path.of("operator/src/test/resources/scenarios-backup");

    @TestFactory
    Stream<DynamicTest> whatIsSeenLeadsToStepAndStatus() {
        return ScenarioFolder.tests(ALL, ScenarioTest::check);
    }

    static void check(ScenarioFolder folder) {
        var given = new ScenarioView(folder);
        Step step = Planner.next(given.view());
        ScenarioCheck.check(
                folder,
                StepWords.of((Record) step),
                ScenarioCheck.status(Report.of(given.backup(), step, ScenarioFolder.NOW)),
                Map.of(
                        "notices",
                        ScenarioCheck.notices(
                                Notices.of(given.backup(), step, Report.statusOf(given.backup())).stream())));
    }
}
