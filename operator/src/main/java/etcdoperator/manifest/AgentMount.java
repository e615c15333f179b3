package etcdoperator.manifest;

import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.List;

/** A volume of an agent's pod and the folder where its containers see it. */
public record AgentMount(Volume volume, String folder, boolean readOnly) {
    /** For the user that the agent runs as, by its group, and nobody else. */
    private static final int READABLE = 0440;

    private static final String FOLDER = "/etc/etcd-agent/";

    /** All of a claim. */
    public static AgentMount claim(String name, String claimName, String folder, boolean readOnly) {
        return new AgentMount(
                new VolumeBuilder()
                        .withName(name)
                        .withNewPersistentVolumeClaim()
                        .withClaimName(claimName)
                        .endPersistentVolumeClaim()
                        .build(),
                folder,
                readOnly);
    }

    /** @param items none for all that the Secret holds, each under its own name */
    public static AgentMount secret(String name, String secretName, KeyToPath... items) {
        return new AgentMount(
                new VolumeBuilder()
                        .withName(name)
                        .withNewSecret()
                        .withSecretName(secretName)
                        .withDefaultMode(READABLE)
                        .withItems(items)
                        .endSecret()
                        .build(),
                FOLDER + name,
                true);
    }

    /** Of a Secret that need not exist, and need not have all of these keys: files of what is missing are missing. */
    public static AgentMount optionalSecret(String name, String secretName, KeyToPath... items) {
        AgentMount mount = secret(name, secretName, items);
        mount.volume().getSecret().setOptional(true);
        return mount;
    }

    /** Files of two Secrets in one folder. */
    public static AgentMount secrets(
            String name, String one, List<KeyToPath> itemsOfOne, String other, List<KeyToPath> itemsOfOther) {
        return new AgentMount(
                new VolumeBuilder()
                        .withName(name)
                        .withNewProjected()
                        .withDefaultMode(READABLE)
                        .addNewSource()
                        .withNewSecret()
                        .withName(one)
                        .withItems(itemsOfOne)
                        .endSecret()
                        .endSource()
                        .addNewSource()
                        .withNewSecret()
                        .withName(other)
                        .withItems(itemsOfOther)
                        .endSecret()
                        .endSource()
                        .endProjected()
                        .build(),
                FOLDER + name,
                true);
    }

    public VolumeMount mount() {
        return new VolumeMountBuilder()
                .withName(volume.getName())
                .withMountPath(folder)
                .withReadOnly(readOnly ? true : null)
                .build();
    }

    /** With flags that name the folder, or files in it. */
    public AgentKit with(String... flags) {
        return AgentKit.ofFlags(flags).and(new AgentKit(List.of(), List.of(volume), List.of(mount())));
    }
}
