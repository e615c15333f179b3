package io.improbable.etcd.agent;

import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says how far a member's log goes, where there are several to choose from. */
@Command(
        name = "survey",
        description = "Says how far the log of a stopped member goes, and whether its data is whole.",
        mixinStandardHelpOptions = true)
public final class SurveyCommand extends AgentCommand {
    @Mixin
    private Survivor survivor = new Survivor();

    @Override
    String work(Progress progress) throws AgentException {
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
