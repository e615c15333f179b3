package etcdoperator.simulation;

import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import java.util.stream.Stream;

/** Whom clients get to see. */
final class ServiceRules {
    private final World world;
    private final Rules rules;

    ServiceRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    /** Pods that the client service leads to once they are Ready. */
    static boolean isServing(Pod pod) {
        return Labels.serving(World.KEY).entrySet().stream()
                .allMatch(label ->
                        label.getValue().equals(pod.getMetadata().getLabels().get(label.getKey())));
    }

    /** After each event. */
    void check() {
        pods().filter(ServiceRules::isServing).forEach(this::check);
    }

    private void check(Pod pod) {
        Optional<PersistentVolumeClaim> claim =
                world.server().get(PersistentVolumeClaim.class, Objects.claimOf(pod));
        if (claim.isEmpty()) {
            return;
        }
        if (!claim.get().getMetadata().getAnnotations().containsKey(Labels.MEMBER_ID)) {
            rules.broken(
                    Invariant.CLIENTS_MEET_THEIR_CLUSTER,
                    Objects.describe(pod) + " serves clients, and its member was not recognised yet");
        }
        if (world.nodes().volume(claim.get()).isUsedBefore()) {
            rules.broken(
                    Invariant.CLIENTS_MEET_THEIR_CLUSTER,
                    Objects.describe(pod) + " serves clients from a volume that was not wiped");
        }
    }

    /** All is well, so clients have all members to choose from. */
    void requireEveryPodServes() {
        pods().filter(pod -> world.nodes().isUp(pod.getSpec().getNodeName()) && !isServing(pod))
                .findFirst()
                .ifPresent(pod -> rules.broken(
                        Invariant.IT_SETTLES, Objects.describe(pod) + " is out of the client service, and all is well"));
    }

    private Stream<Pod> pods() {
        return world.server().list(Pod.class).stream().filter(pod -> !Objects.isAgent(pod));
    }
}
