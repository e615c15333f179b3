package etcdoperator.manifest;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.stream.Stream;

/**
 * What an agent takes along for one part of its errand: flags, and the environment and volumes they speak of. Nothing
 * secret is ever in it, only where it is.
 */
public record AgentKit(List<String> flags, List<EnvVar> env, List<Volume> volumes, List<VolumeMount> mounts) {
    public static final AgentKit EMPTY = new AgentKit(List.of(), List.of(), List.of(), List.of());

    public AgentKit {
        flags = List.copyOf(flags);
        env = List.copyOf(env);
        volumes = List.copyOf(volumes);
        mounts = List.copyOf(mounts);
    }

    public static AgentKit ofFlags(String... flags) {
        return new AgentKit(List.of(flags), List.of(), List.of(), List.of());
    }

    public AgentKit and(AgentKit other) {
        return new AgentKit(
                joined(flags, other.flags),
                joined(env, other.env),
                joined(volumes, other.volumes),
                joined(mounts, other.mounts));
    }

    private static <T> List<T> joined(List<T> some, List<T> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }
}
