package etcdoperator.cluster.scenario;

import java.nio.file.Path;
import java.util.List;

/** One folder of the cluster's scenarios. How to write one: src/test/resources/scenarios/README.md. */
record Scenario(ScenarioFolder folder, ScenarioView given) {
    static List<Scenario> all() {
        return ScenarioFolder.all(Path.of("operator/src/test/resources/scenarios")).stream()
                .map(Scenario::read)
                .toList();
    }

    private static Scenario read(ScenarioFolder folder) {
        try {
            return new Scenario(folder, ScenarioView.read(folder.view()));
        } catch (RuntimeException e) {
            throw new IllegalStateException(folder.folder() + "/view.yaml: " + e.getMessage(), e);
        }
    }
}
