package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrandReaderTest {
    private static final Job FAILED = Serialization.unmarshal("""
            apiVersion: batch/v1
            kind: Job
            metadata: {name: back-restore, uid: j1}
            status: {conditions: [{type: Failed, status: "True", reason: BackoffLimitExceeded}]}
            """, Job.class);

    /** The Job goes with its logs, so that nobody could look there. */
    @Test
    void whyEtcdEndedIsToldWithTheAgentsSentence() {
        Pod pod = Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata: {name: x, creationTimestamp: "2026-01-01T12:00:00Z", ownerReferences: [{uid: j1}]}
                status:
                  phase: Failed
                  initContainerStatuses:
                  - name: etcd
                    state: {terminated: {exitCode: 137}}
                    lastState: {terminated: {exitCode: 1, message: '{"level":"fatal","msg":"cannot open","error":"crc mismatch"}'}}
                  - name: capture
                    state: {terminated: {exitCode: 1, message: '{"state":"Failed","message":"etcd has not come up"}'}}
                """, Pod.class);
        assertThat(ErrandReader.read("back-restore", List.of(FAILED), List.of(pod)))
                .isEqualTo(new Errand.Failed("etcd has not come up; etcd has ended: cannot open: crc mismatch", false));
    }

    @Test
    void podsThatAreGoneSayNothing() {
        assertThat(ErrandReader.read("back-restore", List.of(FAILED), List.of()))
                .isEqualTo(new Errand.Failed(
                        "Job back-restore failed without a word (BackoffLimitExceeded); create another EtcdRestore to have it tried again",
                        false));
    }
}
