package etcdoperator.simulation;

import static etcdoperator.simulation.SabotageTest.assertFound;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.world.Sabotage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** An operator that does not see which pods are Ready takes its own broken path for the end of members. */
class SilenceSabotageTest {
    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    @Test
    void noPodIsReady() {
        assertFound(
                Invariant.SILENCE_IS_NO_PROOF,
                seen(pod ->
                        new PodStatusBuilder(pod.getStatus()).withConditions().build()));
    }

    @Test
    void everyPodHasCrashed() {
        assertFound(Invariant.SILENCE_IS_NO_PROOF, seen(pod -> {
            PodStatus crashed = Serialization.unmarshal("""
                    containerStatuses:
                      - name: etcd
                        restartCount: 3
                        ready: false
                        lastState: {terminated: {exitCode: 1, message: crc mismatch}}
                        state: {waiting: {reason: CrashLoopBackOff}}
                    """, PodStatus.class);
            crashed.setPodIP(pod.getStatus().getPodIP());
            return crashed;
        }));
    }

    private static Sabotage seen(Function<Pod, PodStatus> status) {
        return Sight.ofPods(pods -> pods.stream()
                .map(pod -> {
                    Pod changed = Objects.copy(pod);
                    changed.setStatus(status.apply(pod));
                    return changed;
                })
                .toList());
    }
}
