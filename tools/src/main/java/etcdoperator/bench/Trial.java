package etcdoperator.bench;

import java.time.Duration;
import java.util.List;

/** How long it took until a cluster was whole again, and how long its writers were silent meanwhile. */
record Trial(double seconds, double silence) {

    static double median(List<Trial> trials) {
        return trials.stream().map(Trial::seconds).sorted().toList().get(trials.size() / 2);
    }

    /** Of all runs: a client has no use for a median here. */
    static double longestSilence(List<Trial> trials) {
        return trials.stream().mapToDouble(Trial::silence).max().orElseThrow();
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
