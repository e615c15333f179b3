package etcdoperator.kube;

import etcdoperator.api.EtcdCluster;
import java.util.List;
import java.util.Set;

/** Finds clusters by the certificate authorities that they trust, as far as their objects say. */
public interface AuthorityCache {
    /** @param marks as {@code manifest.AuthorityMarks} has them; one of them is enough */
    List<EtcdCluster> trusting(Set<String> marks);
}
