package etcdoperator.simulation.world;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the container of an agent is told. */
record AgentFlags(Map<String, String> values) {
    static AgentFlags of(Pod pod) {
        return of(pod.getSpec().getContainers().getFirst());
    }

    static AgentFlags of(Container container) {
        Map<String, String> values = new HashMap<>();
        container.getArgs().stream().filter(argument -> argument.startsWith("--")).forEach(argument -> {
            int equals = argument.indexOf('=');
            values.put(argument.substring(2, equals), argument.substring(equals + 1));
        });
        return new AgentFlags(values);
    }

    String get(String flag) {
        return find(flag).orElseThrow(() -> new IllegalStateException("the agent is told no " + flag));
    }

    Optional<String> find(String flag) {
        return Optional.ofNullable(values.get(flag));
    }

    List<String> list(String flag) {
        return find(flag).filter(text -> !text.isEmpty()).map(text -> List.of(text.split(","))).orElse(List.of());
    }
}
