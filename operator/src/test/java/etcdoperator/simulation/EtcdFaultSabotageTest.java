package etcdoperator.simulation;

import static etcdoperator.simulation.MembershipSabotageTest.changing;
import static etcdoperator.simulation.MembershipSabotageTest.hearing;
import static etcdoperator.simulation.SabotageTest.assertFound;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.simulation.etcd.SpoiledEtcd;
import etcdoperator.simulation.rules.Invariant;
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

    @Test
    void noEntryFollows() {
        assertFound(Invariant.IT_SETTLES, changing(honest -> new SpoiledEtcd(honest) {
            @Override
            public void commitNothing(Duration deadline) {}
        }));
    }
}
