package etcdoperator.agent;

import etcdoperator.agent.disk.DiskSurvey;
import etcdoperator.agent.disk.UnusableDiskException;
import etcdoperator.agentreport.AgentException;
import etcdoperator.commandline.Flag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A member that has stopped, and whose disk is only read. */
final class Survivor {
    private static final String CURE = "; name the claim of another member, or restore a backup";

    @Flag(name = "--claim", required = true, description = "Whose disk it is.")
    private String claim = "";

    @Flag(name = "--from", required = true, description = "Its volume.")
    private Path from = Path.of("");

    @Flag(
            name = "--expect",
            description = "The member whose data has to be on it, as CLUSTER/MEMBER in hexadecimal; several are"
                    + " separated by commas.")
    private List<String> expected = new ArrayList<>();

    String claim() {
        return claim;
    }

    /** Of a member that can be gone on from. */
    DiskSurvey survey() throws AgentException {
        return survey(DiskSurvey::of);
    }

    /** Of any member. */
    DiskSurvey surveyVoters() throws AgentException {
        return survey(DiskSurvey::ofAnyMember);
    }

    private interface Reader {
        DiskSurvey read(Path dataDir) throws IOException;
    }

    private DiskSurvey survey(Reader reader) throws AgentException {
        try {
            DiskSurvey disk = reader.read(from.resolve("data"));
            requireExpected(disk);
            return disk;
        } catch (IOException e) {
            throw unusable(e);
        } catch (UncheckedIOException e) {
            throw unusable(new IOException(e.getMessage(), e));
        }
    }

    /** A volume that was used before holds the log of another member. */
    private void requireExpected(DiskSurvey disk) throws AgentException {
        if (!expected.isEmpty() && !expected.contains(disk.identity().toString())) {
            throw AgentException.fatal(
                    "the volume of claim %s holds the data of member %s of etcd cluster %s, and %s is expected%s"
                            .formatted(
                                    claim,
                                    disk.identity().memberId(),
                                    disk.identity().clusterId(),
                                    String.join(" or ", expected),
                                    CURE));
        }
    }

    /** A disk that cannot be read now may be readable another time; one that makes no sense will never make any. */
    AgentException unusable(IOException why) {
        return why instanceof UnusableDiskException
                ? AgentException.fatal("claim %s %s%s".formatted(claim, why.getMessage(), CURE))
                : AgentException.forNow("claim %s cannot be read: %s%s".formatted(claim, why.getMessage(), CURE));
    }
}
