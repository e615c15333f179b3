package etcdoperator.agent;

import etcdoperator.agent.disk.DiskCopy;
import etcdoperator.agent.disk.DiskSurvey;
import etcdoperator.agentreport.AgentException;
import etcdoperator.commandline.Flag;
import etcdoperator.commandline.FlagGroup;
import java.io.IOException;

/** Says how far a member's log goes, where there are several to choose from. */
public final class SurveyCommand extends AgentCommand {
    @FlagGroup
    private Survivor survivor = new Survivor();

    @Flag(
            name = "--voters-only",
            description = "Whether it is enough to say which members vote by the log, which may be that of a learner.")
    private Boolean votersOnly = false;

    @Override
    public String purpose() {
        return "Says how far the log of a stopped member goes, which members vote by it, and whether its data is whole.";
    }

    @Override
    String work(Progress progress) throws AgentException {
        if (votersOnly) {
            DiskSurvey disk = survivor.surveyVoters();
            progress.surveyed(survivor.claim(), disk);
            return "members %s vote by the log on claim %s"
                    .formatted(String.join(", ", Progress.voters(disk)), survivor.claim());
        }
        DiskSurvey disk = survivor.survey();
        try {
            DiskCopy.checkDatabase(disk);
        } catch (IOException e) {
            throw survivor.unusable(e);
        }
        progress.surveyed(survivor.claim(), disk);
        return "the log on claim %s goes to %s".formatted(survivor.claim(), disk.last());
    }
}
