package etcdoperator.cluster.scenario;

import java.util.List;
import org.junit.jupiter.api.Test;

/** All scenarios as one test, for the mutation check alone: it would run a factory anew for each of the factory's tests. */
class ScenariosAtOnce {
    private static final List<Scenario> ALL = Scenario.all();

    @Test
    void allOfThem() {
        ALL.forEach(ScenarioTest::check);
        ALL.forEach(ScenarioTest::checkObserver);
    }
}
