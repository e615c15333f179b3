package etcdoperator.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.cluster.scenario.ScenarioCheck;
import etcdoperator.cluster.scenario.ScenarioFolder;
import etcdoperator.cluster.scenario.StepWords;
import etcdoperator.domain.AllowedEndpoints;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every folder of scenarios-schedule: from what is seen of an EtcdBackupSchedule to what is done and said. */
class ScenarioTest {
    static final Path ALL = Path.of("operator/src/test/resources/scenarios-schedule");

    @TestFactory
    Stream<DynamicTest> whatIsSeenLeadsToPlanAndStatus() {
        return ScenarioFolder.tests(ALL, ScenarioTest::check);
    }

    static void check(ScenarioFolder folder) {
        var objects = new ScenarioObjects(folder).objects();
        EtcdBackupSchedule schedule = objects.schedule();
        var reader = new ScheduleReader(objects, AllowedEndpoints.parse(AllowedEndpoints.USUAL), ScenarioFolder.NOW);
        ScheduleView view = reader.view();
        Plan plan = Planner.plan(view);
        DrillPlan drill = DrillPlanner.plan(view.drill());
        var drilled = new DrillReport(schedule, ScenarioFolder.NOW).of(view.drill(), drill);
        var report = new Report(objects, ScenarioFolder.NOW);
        ScenarioCheck.check(
                folder,
                words(plan, drill),
                ScenarioCheck.status(report.of(view, plan, reader.inForce(), drilled)),
                Map.of(
                        "notices",
                        ScenarioCheck.notices(Stream.concat(
                                Notices.of(plan, ScheduleReader.statusOf(schedule)).stream(),
                                drilled.notice().stream()))));
    }

    /** The plan, and that of drills below {@code drill}, if it is more than to rest. */
    private static JsonNode words(Plan plan, DrillPlan drill) {
        ObjectNode words = Serialization.jsonMapper().valueToTree(StepWords.parts(plan));
        if (words.isEmpty()) {
            words.put("step", "Rest");
        }
        ObjectNode drilling = Serialization.jsonMapper().valueToTree(StepWords.parts(drill));
        drilling.set("step", StepWords.of((Record) drill.step()));
        boolean rests = drill.step() instanceof DrillPlan.Step.Rest && drilling.size() == 1;
        return rests ? words : words.set("drill", drilling);
    }
}
