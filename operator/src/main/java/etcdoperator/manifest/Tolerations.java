package etcdoperator.manifest;

import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * The user's tolerations, and one for nodes that nobody hears of. Kubernetes would else move the pod after five minutes,
 * while the old one may still run on its side of a broken network: two etcd on one volume. Whether to wait for the node
 * or to replace the member is the planner's to say.
 */
final class Tolerations {
    private static final List<String> NODE_AWAY =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private Tolerations() {}

    static List<Toleration> of(List<Toleration> users) {
        List<Toleration> all = new ArrayList<>(users);
        for (String taint : NODE_AWAY) {
            if (users.stream().noneMatch(toleration -> taint.equals(toleration.getKey()))) {
                all.add(new TolerationBuilder()
                        .withKey(taint)
                        .withOperator("Exists")
                        .withEffect("NoExecute")
                        .build());
            }
        }
        return all;
    }
}
