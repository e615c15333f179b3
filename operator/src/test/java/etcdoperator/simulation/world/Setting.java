package etcdoperator.simulation.world;

import etcdoperator.api.RecoverySpec;
import etcdoperator.api.RecoverySpec.QuorumLossPolicy;
import etcdoperator.api.TlsSpec;
import etcdoperator.simulation.replay.Dice;
import java.util.List;
import java.util.Optional;

/**
 * What holds for a whole run.
 *
 * @param volumesStay whether a volume is tied to the node where it was first used
 * @param secured whether TLS plays a part
 * @param tls what the first cluster is made with
 * @param disastrous whether whole majorities are lost
 */
public record Setting(
        boolean volumesStay, boolean secured, Optional<TlsSpec> tls, boolean disastrous, RecoverySpec recovery) {

    /** Volumes are local, and members are replaced and clusters recovered without a person, as soon as possible. */
    public static Setting quick() {
        return new Setting(
                true, false, Optional.empty(), true, new RecoverySpec("10s", QuorumLossPolicy.AUTOMATIC, "10s"));
    }

    /** The same, and TLS may be asked for. */
    public Setting secured(Optional<TlsSpec> first) {
        return new Setting(volumesStay, true, first, disastrous, recovery);
    }

    static Setting thrown(Dice dice) {
        boolean volumesStay = dice.oneIn(2);
        String memberTimeout = dice.oneIn(3) ? "5m" : "10s";
        boolean secured = dice.oneIn(3);
        Optional<TlsSpec> tls = secured && dice.oneIn(2) ? World.ENCRYPTED : Optional.empty();
        boolean disastrous = secured ? dice.oneIn(4) : !dice.oneIn(3);
        var recovery = new RecoverySpec(
                memberTimeout,
                disastrous && !dice.oneIn(3) ? QuorumLossPolicy.AUTOMATIC : null,
                dice.pick(List.of("10s", "10s", "30s", "1m")).orElseThrow());
        return new Setting(volumesStay, secured, tls, disastrous, recovery);
    }
}
