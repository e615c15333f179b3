package etcdoperator.agentreport;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.Progress;
import etcdoperator.agentreport.AgentReport.State;
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
