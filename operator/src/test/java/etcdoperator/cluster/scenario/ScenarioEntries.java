package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.view.ClusterView.Wish;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The things of one kind that a folder tells of, over those that {@code like:} brings. */
record ScenarioEntries(JsonNode yaml, String like, Wish wish) {

    IntFunction<String> usual(String settled, String founding) {
        return ordinal -> switch (like) {
            case "settled" -> settled;
            case "founding" -> founding;
            case "nothing" -> null;
            default -> throw ScenarioView.strange("like", like, "settled, founding");
        };
    }

    /** By name, in order; {@code gone} takes one away that {@code like} brought. */
    Map<String, JsonNode> of(String section, IntFunction<String> usual) {
        Map<String, JsonNode> entries = new TreeMap<>();
        IntStream.range(0, wish.replicas())
                .filter(ordinal -> usual.apply(ordinal) != null)
                .forEach(ordinal -> entries.put(wish.peer(ordinal).toString(), Words.word(usual.apply(ordinal))));
        yaml.path(section).properties().forEach(entry -> {
            if (entry.getValue().asText().equals("gone")) {
                entries.remove(entry.getKey());
            } else {
                entries.put(entry.getKey(), entry.getValue());
            }
        });
        return entries;
    }
}
