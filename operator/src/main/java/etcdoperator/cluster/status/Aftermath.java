package etcdoperator.cluster.status;

import etcdoperator.cluster.recovery.Recovery;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.RecoveryView;
import etcdoperator.cluster.view.RecoveryView.State;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is told of a majority that is lost for good, and later of the way back. */
public final class Aftermath {
    public static final String QUORUM_LOST = "QuorumLost";
    public static final String RECOVERED = "RecoveredFromLoss";

    private Aftermath() {}

    static Stream<Finding> of(ClusterView view, List<Condition> before) {
        return Stream.of(quorum(view, before), recovered(view, before)).flatMap(Optional::stream);
    }

    /** Told to whoever has lost it once. */
    private static Optional<Finding> quorum(ClusterView view, List<Condition> before) {
        return Recovery.lossOf(view)
                .map(loss -> new Finding(QUORUM_LOST, true, "MajorityLost", loss))
                .or(() -> find(before, QUORUM_LOST)
                        .map(known -> view.wish().restoring().isPresent()
                                        || view.wish().replicas() == 0
                                ? new Finding(
                                        QUORUM_LOST,
                                        "True".equals(known.getStatus()),
                                        known.getReason(),
                                        known.getMessage())
                                : new Finding(
                                        QUORUM_LOST,
                                        false,
                                        "MajorityLeft",
                                        "Enough voters are there, or may come back, to be a quorum")));
    }

    /** Stays for as long as anybody may ask what became of the data, also when the EtcdRestore is gone and others are not. */
    private static Optional<Finding> recovered(ClusterView view, List<Condition> before) {
        Optional<Condition> known = find(before, RECOVERED);
        return view.recoveries().stream()
                .filter(recovery -> recovery.state() == State.COMPLETED)
                .max(Comparator.comparing(Aftermath::completedAt))
                .filter(recovery -> known.filter(told ->
                                Instant.parse(told.getLastTransitionTime()).isAfter(completedAt(recovery)))
                        .isEmpty())
                .map(recovery -> new Finding(RECOVERED, true, "Recovered", told(recovery), recovery.completedAt()))
                .or(() -> known.map(told -> new Finding(RECOVERED, true, told.getReason(), told.getMessage())));
    }

    private static Instant completedAt(RecoveryView recovery) {
        return recovery.completedAt().orElse(Instant.MIN);
    }

    private static String told(RecoveryView recovery) {
        return "After most voters were lost, EtcdRestore %s brought the data back from %s, up to revision %s%s; what was written later, or had reached only members that are lost, is not in it"
                .formatted(
                        recovery.name(),
                        recovery.source(),
                        recovery.revision().map(Object::toString).orElse("unknown"),
                        recovery.writtenAt()
                                .map(at -> ", last written at " + at)
                                .orElse(""));
    }

    private static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }
}
