package io.improbable.etcd.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.improbable.etcd.agentreport.AgentReport.State;
import io.improbable.etcd.agentreport.ReportText;
import org.junit.jupiter.api.Test;

class ReportTextTest {
    @Test
    void reportsLeaveOutWhatIsNotKnown() {
        String text = ReportText.write(new Progress().report(State.RUNNING, null));
        assertThat(text).isEqualTo("{\"state\":\"Running\"}");
    }

    @Test
    void whatIsNoReportIsNone() {
        assertThat(ReportText.read("Killed")).isEmpty();
        assertThat(ReportText.read("{}")).isEmpty();
        assertThat(ReportText.read("")).isEmpty();
    }
}
