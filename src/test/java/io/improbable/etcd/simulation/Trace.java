package io.improbable.etcd.simulation;

import io.improbable.etcd.api.EtcdClusterStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What happened, for whoever has to find out why. */
final class Trace {
    private final List<String> lines = new ArrayList<>();
    private final ManualClock clock;

    Trace(ManualClock clock) {
        this.clock = clock;
    }

    void note(String line) {
        lines.add(clock.instant().toString().substring(14) + " " + line);
    }

    static String summary(EtcdClusterStatus status) {
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

    String text() {
        return String.join("\n", lines);
    }
}
