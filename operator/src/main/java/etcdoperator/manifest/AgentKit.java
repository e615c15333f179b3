package etcdoperator.manifest;

import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.stream.Stream;

/**
 * What an agent takes along for one part of its errand: flags, and the volumes they speak of. Nothing secret is ever in
 * it, only where it is: in files, because the environment of a process appears in too many places.
 */
public record AgentKit(List<String> flags, List<Volume> volumes, List<VolumeMount> mounts) {
    public static final AgentKit EMPTY = new AgentKit(List.of(), List.of(), List.of());

    public AgentKit {
        flags = List.copyOf(flags);
        volumes = List.copyOf(volumes);
        mounts = List.copyOf(mounts);
    }

    public static AgentKit ofFlags(String... flags) {
        return new AgentKit(List.of(flags), List.of(), List.of());
    }

    public AgentKit and(AgentKit other) {
        return new AgentKit(joined(flags, other.flags), joined(volumes, other.volumes), joined(mounts, other.mounts));
    }

    private static <T> List<T> joined(List<T> some, List<T> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }
}
