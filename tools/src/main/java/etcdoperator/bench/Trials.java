package etcdoperator.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/** Does something to a cluster under writes, some times over, and tells how it took that. */
final class Trials {
    static final int RUNS = 3;
    /** For etcd refuses a change of its members for 5 s after the last one, which is not what is measured. */
    static final Duration REST = Duration.ofSeconds(6);

    private final Results results;
    private final Members members;
    private final Load load;

    Trials(Results results, Members members, Load load) {
        this.results = results;
        this.members = members;
        this.load = load;
    }

    /** An act, and the ids of the members that do not survive it. */
    interface Act {
        Set<Long> run() throws IOException, InterruptedException;
    }

    List<Trial> repeat(String what, Act act) throws IOException, InterruptedException {
        List<Trial> trials = new ArrayList<>();
        for (int run = 1; run <= RUNS; run++) {
            trials.add(measure(what, run, 3, act));
            Thread.sleep(REST);
        }
        return trials;
    }

    /** @param size how many members there are afterwards */
    Trial measure(String what, int run, int size, Act act) throws IOException, InterruptedException {
        load.begin();
        long begin = System.nanoTime();
        Set<Long> lost = act.run();
        members.awaitVoters(size, lost);
        var trial = new Trial((System.nanoTime() - begin) / 1e9, Trial.seconds(load.longestSilence()));
        System.err.printf(
                "  %s, run %d of %d: %.2f s, longest silence %.3f s%n",
                what, run, RUNS, trial.seconds(), trial.silence());
        return trial;
    }

    void add(String key, String what, List<Trial> trials, OptionalDouble target) {
        results.add(key, what, "s", Trial.median(trials), target, "");
    }

    void addSilence(String key, List<Trial> trials, OptionalDouble target) {
        results.add(
                key + ".silence", "   longest silence of the writers", "s", Trial.longestSilence(trials), target, "");
    }
}
