package etcdoperator.simulation.kube;

import etcdoperator.simulation.replay.Dice;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The addresses of pods. They are few, so that they are soon given out again. */
final class PodAddresses {
    private static final int ADDRESSES = 12;

    private final FakeApiServer server;
    private final Dice dice;

    PodAddresses(FakeApiServer server, Dice dice) {
        this.server = server;
        this.dice = dice;
    }

    Optional<String> free() {
        List<String> taken = server.list(Pod.class).stream()
                .map(other -> other.getStatus().getPodIP())
                .toList();
        return dice.pick(IntStream.range(0, ADDRESSES)
                .mapToObj(i -> "10.0.0." + i)
                .filter(address -> !taken.contains(address))
                .toList());
    }
}
