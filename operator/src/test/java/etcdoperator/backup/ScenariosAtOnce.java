package etcdoperator.backup;

import etcdoperator.cluster.scenario.ScenarioFolder;
import org.junit.jupiter.api.Test;

/** All scenarios as one test, for the mutation check alone: it would run a factory anew for each of the factory's tests. */
class ScenariosAtOnce {
    @Test
    void allOfThem() {
        ScenarioFolder.all(ScenarioTest.ALL).forEach(ScenarioTest::check);
    }
}
