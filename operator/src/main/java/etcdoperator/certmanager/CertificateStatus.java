package etcdoperator.certmanager;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What cert-manager says of it. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record CertificateStatus(List<Condition> conditions) {
    public CertificateStatus {
        conditions = orEmpty(conditions);
    }

    private static List<Condition> orEmpty(@Nullable List<Condition> given) {
        return given == null ? List.of() : List.copyOf(given);
    }

    /** Why there is no certificate, or none that is good. */
    public Optional<String> complaint() {
        return conditions.stream()
                .filter(condition -> "Ready".equals(condition.getType()) && !"True".equals(condition.getStatus()))
                .map(Condition::getMessage)
                .findFirst();
    }
}
