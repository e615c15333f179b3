package etcdoperator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.api.MemberRole;
import etcdoperator.api.MemberStatus;
import etcdoperator.api.RecoverySpec;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.world.Inventory;
import etcdoperator.simulation.world.Sabotage;
import etcdoperator.simulation.world.Setting;
import etcdoperator.simulation.world.SimulatedOperator;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** One member of five is replaced, and no volume is to be had for the next one. Then another one is lost. */
class UnstartedLearnerTest {
    private static final Setting PLAIN =
            new Setting(true, false, Optional.empty(), false, new RecoverySpec("10s", null, "10s"));

    private final Dice dice = new Dice(1);
    private final World world = new World(PLAIN, dice);
    private final Rules rules = Rules.watch(world, EnumSet.allOf(Invariant.class));
    private final Calm calm = new Calm(world, rules, dice);
    private final SimulatedOperator operator = new SimulatedOperator("operator", world, Sabotage.NONE, () -> {});

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    @Test
    void aLearnerThatDoesNotStartKeepsNoOtherOut() {
        world.createCluster(5);
        calm.settle(operator);
        world.nodes().disks().keepBack("c-4");
        lose("c-4");
        calm.settle(operator);
        List<String> kept = claims("c-4");
        assertThat(names(MemberRole.LEARNER)).hasSize(1);
        lose("c-3");
        calm.settle(operator);
        assertThat(voters()).as(this::trace).isEqualTo(4);
        assertThat(names(MemberRole.LEARNER)).as("it is added again").hasSize(1);
        assertThat(claims("c-4")).as("on the claim that it has").isEqualTo(kept);
        world.nodes().disks().handOut();
        calm.settle(operator);
        assertThat(voters()).as(this::trace).isEqualTo(5);
        assertThat(claims("c-4")).isEqualTo(kept);
    }

    /** As {@code kubectl delete pvc --wait=false} does, and {@code kubectl delete pod --grace-period=0 --force} after it. */
    private void lose(String peer) {
        PersistentVolumeClaim claim = world.claims().stream()
                .filter(each -> peer.equals(each.getMetadata().getLabels().get(Labels.PEER)))
                .findFirst()
                .orElseThrow();
        world.controllers().delete(claim);
        world.server().list(Pod.class).stream()
                .filter(pod -> Objects.uses(pod, claim))
                .forEach(world.server()::remove);
    }

    private List<String> claims(String peer) {
        return world.claims().stream()
                .filter(claim -> peer.equals(claim.getMetadata().getLabels().get(Labels.PEER)))
                .map(claim -> claim.getMetadata().getName())
                .toList();
    }

    private List<String> names(MemberRole role) {
        return world.cluster().orElseThrow().getStatus().members().stream()
                .filter(member -> member.role() == role)
                .map(MemberStatus::id)
                .toList();
    }

    private int voters() {
        return names(MemberRole.VOTER).size() + names(MemberRole.LEADER).size();
    }

    private String trace() {
        return world.trace().text() + "\n" + new Inventory(world).text();
    }
}
