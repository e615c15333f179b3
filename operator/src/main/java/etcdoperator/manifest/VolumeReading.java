package etcdoperator.manifest;

import etcdoperator.api.EtcdPeer;
import etcdoperator.api.PodTemplate;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How an agent reads the volume of a member that is stopped: as that member's user, and where the volume is. */
public final class VolumeReading {
    /** A member stands still for it, so that it must come to an end whatever keeps its pod from starting. */
    public static final Duration LONGEST = Duration.ofMinutes(30);

    private VolumeReading() {}

    public static AgentKit kit(PersistentVolumeClaim claim) {
        Map<String, String> annotations = claim.getMetadata().getAnnotations();
        AgentKit data = AgentMount.claim(
                        EtcdContainer.DATA_VOLUME, claim.getMetadata().getName(), EtcdContainer.MOUNT_PATH, true)
                .with("--data-dir=" + EtcdContainer.DATA_DIR);
        return Stream.of(
                        flag("--etcd-version=", annotations.get(Labels.VERSION)),
                        flag("--cluster-id=", annotations.get(Labels.CLUSTER_ID)),
                        flag("--member-id=", annotations.get(Labels.MEMBER_ID)))
                .reduce(data, AgentKit::and);
    }

    /** Bound volumes draw their pods to them, so that this pod needs only to be let in there. */
    public static Job placed(Job job, EtcdPeer peer) {
        PodTemplate template = peer.getSpec().podTemplateOrEmpty();
        PodSpec pod = job.getSpec().getTemplate().getSpec();
        pod.setSecurityContext(PeerReplicaSet.securityContext(template.securityContext()));
        pod.setNodeSelector(template.nodeSelector());
        pod.setTolerations(Tolerations.of(template.tolerations()));
        pod.setPriorityClassName(template.priorityClassName());
        return job;
    }

    /** Which claim such a Job reads. */
    public static Optional<String> claimOf(Job job) {
        return job.getSpec().getTemplate().getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals(EtcdContainer.DATA_VOLUME))
                .map(Volume::getPersistentVolumeClaim)
                .flatMap(Stream::ofNullable)
                .map(claim -> claim.getClaimName())
                .findFirst();
    }

    private static AgentKit flag(String name, @Nullable String value) {
        return value == null ? AgentKit.EMPTY : AgentKit.ofFlags(name + value);
    }
}
