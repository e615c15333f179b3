package etcdoperator.cluster.tls;

import etcdoperator.domain.AuthorityPolicy;
import etcdoperator.kube.AuthorityCache;
import etcdoperator.kube.ClusterObjects;

/** What clusters trust, and what the installation allows of that. */
public record AuthorityRules(AuthorityCache cache, AuthorityPolicy policy) {
    public SharedAuthority of(ClusterObjects objects) {
        return new SharedAuthority(objects, this);
    }
}
