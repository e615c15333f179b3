package etcdoperator.manifest;

import etcdoperator.domain.AllowedEndpoints;

/** The agents of an installation that lets them log in anywhere. */
public final class AnyAgents {
    private AnyAgents() {}

    public static AgentSetup of(String image) {
        return new AgentSetup(image, AllowedEndpoints.parse("https://*,http://*"));
    }
}
