package etcdoperator.simulation.trouble;

import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.world.World;
import java.util.List;

/** What etcd does by itself that it should not do: known faults of its own. */
final class EtcdTroubles {
    private final World world;
    private final Dice dice;

    EtcdTroubles(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    void happen() {
        switch (dice.below(3)) {
            case 0 -> leaderMistakesAVoter();
            case 1 -> nextLearnerCannotJoin();
            default -> nextJoinStalls();
        }
    }

    private void nextLearnerCannotJoin() {
        note("the next learner cannot join");
        world.etcd()
                .breakNextLearner(
                        dice.oneIn(2)
                                ? "tocommit(9) is out of range [lastIndex(0)]"
                                : "the member has been permanently removed from the cluster");
    }

    /** A request that fails late makes a leader count a voter as disconnected for good. */
    private void leaderMistakesAVoter() {
        dice.pick(world.leaders().toList()).ifPresent(leader -> {
            List<EtcdProcess> others = world.etcd().group(leader).stream()
                    .filter(other -> other != leader
                            && leader.data().isVoter(other.data().self()))
                    .toList();
            dice.pick(others).ifPresent(other -> {
                note(leader + " counts " + other + " as disconnected");
                leader.mistake(other);
            });
        });
    }

    private void nextJoinStalls() {
        note("whoever joins next stalls");
        world.etcd().stallNextJoin();
    }

    private void note(String line) {
        world.trace().note("trouble: " + line);
    }
}
