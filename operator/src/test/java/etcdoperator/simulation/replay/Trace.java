package etcdoperator.simulation.replay;

import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdRestore;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What happened, for whoever has to find out why. */
public final class Trace {
    private final List<String> lines = new ArrayList<>();
    private final ManualClock clock;

    public Trace(ManualClock clock) {
        this.clock = clock;
    }

    public void note(String line) {
        lines.add(clock.instant().toString().substring(14) + " " + line);
    }

    public static String summary(EtcdClusterStatus status) {
        if (status == null) {
            return "";
        }
        String conditions = status.conditions().stream()
                .map(condition -> condition.getType() + "=" + condition.getStatus() + "/" + condition.getReason()
                        + " \"" + condition.getMessage() + "\"")
                .collect(Collectors.joining(", "));
        return " operation="
                + (status.operation() == null ? "none" : status.operation().type()) + " ready=" + status.readyReplicas()
                + " " + conditions;
    }

    public static String summary(CustomResource<?, ?> object) {
        return object instanceof EtcdRestore restore && restore.getStatus() != null
                ? " %s/%s %s"
                        .formatted(
                                restore.getStatus().phase(),
                                restore.getStatus().stage(),
                                restore.getStatus().conditions().stream()
                                        .map(Condition::getMessage)
                                        .toList())
                : "";
    }

    public String text() {
        return String.join("\n", lines);
    }
}
