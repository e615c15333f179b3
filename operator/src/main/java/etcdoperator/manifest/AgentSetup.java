package etcdoperator.manifest;

import etcdoperator.domain.AllowedEndpoints;

/**
 * What all agents of an installation have in common.
 *
 * @param image the operator's own
 * @param endpoints of object stores to which they may send credentials
 */
public record AgentSetup(String image, AllowedEndpoints endpoints) {}
