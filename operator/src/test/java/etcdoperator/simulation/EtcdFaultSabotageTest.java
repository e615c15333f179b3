package etcdoperator.simulation;

import static etcdoperator.simulation.MembershipSabotageTest.changing;
import static etcdoperator.simulation.MembershipSabotageTest.hearing;
import static etcdoperator.simulation.SabotageTest.assertFound;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.simulation.etcd.SpoiledEtcd;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.rules.Invariant;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Without the cures for etcd's own faults, clusters stay as they are. */
class EtcdFaultSabotageTest {
    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    @Test
    void mistakenLeadersAreNotSeen() {
        assertFound(
                Invariant.IT_SETTLES,
                hearing((before, now) -> now instanceof Spoke spoke ? spoke.with(Optional.empty()) : now));
    }

    /** It would be given the time that any member gets that crashes. */
    @Test
    void aLearnerThatCannotJoinIsTakenForAnyOther() {
        assertFound(
                Invariant.IT_SETTLES,
                Sight.ofPods(pods -> pods.stream()
                        .map(EtcdFaultSabotageTest::withoutLastWords)
                        .toList()));
    }

    private static Pod withoutLastWords(Pod pod) {
        Pod changed = Objects.copy(pod);
        changed.getStatus().getContainerStatuses().stream()
                .filter(container -> container.getLastState() != null
                        && container.getLastState().getTerminated() != null)
                .forEach(container -> container.getLastState().getTerminated().setMessage(null));
        return changed;
    }

    @Test
    void noEntryFollows() {
        assertFound(Invariant.IT_SETTLES, changing(honest -> new SpoiledEtcd(honest) {
            @Override
            public void commitNothing(Duration deadline) {}
        }));
    }
}
