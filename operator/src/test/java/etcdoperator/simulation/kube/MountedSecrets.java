package etcdoperator.simulation.kube;

import etcdoperator.manifest.TlsSecrets;
import etcdoperator.simulation.etcd.Certificates;
import etcdoperator.simulation.etcd.PodTls;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What kubelets have brought of Secrets to pods. What changes comes later, each in its own time. */
final class MountedSecrets {
    private final FakeApiServer server;
    private final Map<String, Map<String, Secret>> byPod = new HashMap<>();

    MountedSecrets(FakeApiServer server) {
        this.server = server;
    }

    /** A pod waits until all its Secrets are there; once it has them, it keeps them. */
    boolean areThereFor(Pod pod) {
        return byPod.containsKey(uid(pod))
                || volumes(pod).stream().allMatch(volume -> secret(volume).isPresent());
    }

    /** What the files of a pod hold from now on, whenever they are looked at. */
    PodTls mount(Pod pod) {
        if (volumes(pod).isEmpty()) {
            return PodTls.NONE;
        }
        byPod.computeIfAbsent(uid(pod), any -> latest(pod));
        return new PodTls(files(pod, "client-tls"), files(pod, "peer-tls"));
    }

    private Optional<PodTls.Files> files(Pod pod, String volume) {
        String uid = uid(pod);
        return Optional.ofNullable(byPod.get(uid).get(volume))
                .map(secret -> new PodTls.Files(
                        Certificates.trusted(text(secret, TlsSecrets.TRUSTED)),
                        () -> Certificates.issuer(text(byPod.get(uid).get(volume), TlsSecrets.CERTIFICATE))));
    }

    private static String text(Secret secret, String key) {
        return TlsSecrets.text(secret, key).orElseThrow();
    }

    /** A kubelet's next look at the Secrets of a pod, if it would find anything new. */
    Optional<Runnable> refresh(Pod pod) {
        Map<String, Secret> has = byPod.get(uid(pod));
        return has == null || has.equals(latest(pod))
                ? Optional.empty()
                : Optional.of(() -> byPod.put(uid(pod), latest(pod)));
    }

    /** One that is gone stays as it was. */
    private Map<String, Secret> latest(Pod pod) {
        Map<String, Secret> found = new HashMap<>(byPod.getOrDefault(uid(pod), Map.of()));
        volumes(pod).forEach(volume -> secret(volume).ifPresent(secret -> found.put(volume.getName(), secret)));
        return found;
    }

    private Optional<Secret> secret(Volume volume) {
        return server.get(Secret.class, volume.getSecret().getSecretName());
    }

    private static List<Volume> volumes(Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .filter(volume -> volume.getSecret() != null)
                .toList();
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }
}
