package etcdoperator.e2e;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long tests wait: long enough that a busy machine is never the reason why one fails. */
final class Patience {
    private static final Duration LIMIT = Duration.ofMinutes(6);
    private static final Duration LONG_ENOUGH_TO_GO_WRONG = Duration.ofSeconds(5);

    private Patience() {}

    static ConditionFactory eventually() {
        return Awaitility.await()
                .atMost(LIMIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(200))
                // what is looked at may not be there yet, or the API server away
                .ignoreExceptions();
    }

    /** For what must hold from now on: it is watched for a while. */
    static ConditionFactory forAWhile() {
        return eventually().during(LONG_ENOUGH_TO_GO_WRONG);
    }
}
