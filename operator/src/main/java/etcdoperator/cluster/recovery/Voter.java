package etcdoperator.cluster.recovery;

import etcdoperator.domain.MemberId;
import java.util.Optional;

/**
 * A member as somebody remembers it.
 *
 * @param known its name for people
 * @param claimName the claim it is called by, where that is told
 * @param votes whether it does, or is still learning
 */
record Voter(MemberId id, String known, Optional<String> claimName, boolean votes) {}
