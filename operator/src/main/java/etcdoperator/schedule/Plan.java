package etcdoperator.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a pass does about a schedule.
 *
 * @param giveUp unfinished backups that make room for a new one
 * @param start the backup to take
 * @param settled the newest run that needs nothing more
 * @param granted the wish that needs nothing more
 * @param held why a backup that is due is not taken yet
 * @param missed why a run will never be made
 * @param spare backups whose time was over, and that are kept after all
 * @param expire backups whose time is over: what is stored is to go with them
 * @param remove backups that may go now
 */
public record Plan(
        List<String> giveUp,
        Optional<Start> start,
        Optional<Instant> settled,
        Optional<String> granted,
        Optional<String> held,
        Optional<String> missed,
        List<String> spare,
        List<Farewell> expire,
        List<Farewell> remove) {

    /** @param reason a sentence for people */
    public record Start(String name, String reason) {}

    /** @param reason why nothing keeps it */
    public record Farewell(String name, String reason) {}
}
