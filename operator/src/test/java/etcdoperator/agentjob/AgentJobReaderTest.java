package etcdoperator.agentjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentJobReaderTest {
    /** Kubernetes says of the pod itself only later that it has succeeded. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {phase: Succeeded} | true
            {phase: Running, containerStatuses: [{state: {terminated: {exitCode: 0}}}]} | true
            {phase: Running, containerStatuses: [{state: {terminated: {exitCode: 1}}}]} | false
            {phase: Running, containerStatuses: [{state: {running: {}}}]} | false
            {phase: Running, containerStatuses: [{state: {terminated: {exitCode: 0}}}], initContainerStatuses: [{state: {running: {}}}]} | false
            {phase: Running, containerStatuses: [{state: {terminated: {exitCode: 0}}}], initContainerStatuses: [{state: {terminated: {exitCode: 143}}}]} | true
            {phase: Pending} | false
            """)
    void aPodIsDoneOnceAllItsContainersAre(String status, boolean done) {
        Pod pod = new PodBuilder()
                .withStatus(Serialization.unmarshal("---\n" + status, PodStatus.class))
                .build();
        assertThat(AgentJobReader.isDone(pod)).isEqualTo(done);
    }
}
