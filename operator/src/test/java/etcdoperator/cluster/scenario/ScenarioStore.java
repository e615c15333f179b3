package etcdoperator.cluster.scenario;

import etcdoperator.cluster.view.Membership;
import etcdoperator.domain.EtcdVersion;

/** A member's database, as a scenario tells it. */
final class ScenarioStore {
    private ScenarioStore() {}

    static Membership.Store of(Words words) {
        long size = words.text("size").map(Long::parseLong).orElse(20480L);
        return new Membership.Store(
                size,
                words.text("used").map(Long::parseLong).orElse(size),
                words.text("quota").map(Long::parseLong).orElse(2L << 30),
                words.text("storage").map(line -> EtcdVersion.parse(line + ".0")),
                words.text("revision").map(Long::parseLong).orElse(0L),
                words.text("committed").map(Long::parseLong).orElse(0L));
    }
}
