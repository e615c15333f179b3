package io.improbable.etcd.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.domain.ObjectKey;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may still be on the claims of a cluster that lies down. */
class OccupantTest {
    private final World world = new World();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                            | [{state: {running: {}}}]                   | true
            deletionTimestamp: '2026-01-01T12:00:00Z'     | [{state: {running: {}}}]                   | true
            deletionTimestamp: '2026-01-01T12:00:00Z'     | []                                         | true
            deletionTimestamp: '2026-01-01T12:00:00Z'     | [{state: {terminated: {exitCode: 0}}}]     | false
            deletionTimestamp: '2026-01-01T12:00:00Z'     | [{state: {terminated: {}}}, {state: {running: {}}}] | true
            ''                                            | [{state: {terminated: {exitCode: 1}}}]     | true
            """)
    void isWhoeverIsNotKnownToHaveEndedForGood(String metadata, String containers, boolean occupied) {
        new Others(world).wantSalvage("");
        world.put(Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: %s, name: c-0-x, labels: {etcd.improbable.io/cluster-name: c}, %s}
                status: {containerStatuses: %s}
                """.formatted(World.NAMESPACE, metadata, containers), Pod.class));

        var objects = world.restore(new ObjectKey(World.NAMESPACE, "back")).orElseThrow();
        RestoreView view = new Observer(objects).view(false, Instant.EPOCH);

        assertThat(view.occupant()).isEqualTo(occupied ? Optional.of("Pod c-0-x") : Optional.empty());
    }
}
