package etcdoperator.manifest;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.Optional;

/** Which of two objects was made first. */
public final class Ages {
    private Ages() {}

    /** Whether an object was made after another one. What is not stored yet is the youngest. */
    public static boolean isYounger(HasMetadata one, HasMetadata other) {
        return madeAt(one).isAfter(madeAt(other));
    }

    public static Instant madeAt(HasMetadata object) {
        return Optional.ofNullable(object.getMetadata().getCreationTimestamp())
                .map(Instant::parse)
                .orElse(Instant.MAX);
    }
}
