package etcdoperator.manifest;

import io.fabric8.kubernetes.api.model.Container;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a program gets of its container's arguments: the kubelet replaces $(NAME) by variables, and $$ by one $. */
final class KubeletExpansion {
    private KubeletExpansion() {}

    static List<String> of(Container container, Map<String, String> variables) {
        List<String> expanded = new ArrayList<>();
        container.getArgs().forEach(argument -> expanded.add(expanded(argument, variables)));
        return expanded;
    }

    /** As k8s.io/kubernetes/third_party/forked/golang/expansion does it. */
    private static String expanded(String text, Map<String, String> variables) {
        var result = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char next = text.charAt(at);
            char after = at + 1 < text.length() ? text.charAt(at + 1) : 0;
            int end = text.indexOf(')', at);
            if (next == '$' && after == '$') {
                result.append('$');
                at += 2;
            } else if (next == '$' && after == '(' && end > 0) {
                String name = text.substring(at + 2, end);
                result.append(variables.getOrDefault(name, "$(" + name + ")"));
                at = end + 1;
            } else {
                result.append(next);
                at++;
            }
        }
        return result.toString();
    }
}
