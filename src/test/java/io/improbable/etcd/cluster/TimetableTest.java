package io.improbable.etcd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimetableTest {
    private static Optional<Duration> next(String view) {
        String settled = "like: settled\ncluster: {replicas: 1}\n" + view;
        return Timetable.next(ScenarioView.read(Serialization.unmarshal(settled, JsonNode.class))
                .view());
    }

    @Test
    void whatIsFirstIsAwaited() {
        assertThat(next("auth: {}")).isEmpty();
        assertThat(next("auth: {nextIn: PT5M}")).contains(Duration.ofMinutes(5));
        assertThat(next("auth: {nextIn: PT5M}\ntls: {nextIn: PT1M}")).contains(Duration.ofMinutes(1));
        assertThat(next("auth: {nextIn: PT5M}\ntls: {nextIn: PT1H}")).contains(Duration.ofMinutes(5));
    }
}
