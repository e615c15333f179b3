package etcdoperator.exploration;

import etcdoperator.api.EtcdRestore;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.ServerSideApply;
import etcdoperator.simulation.world.SaidStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a cluster may wait for at the end of a run. Its status names it, and a user can end it. */
enum Wait {
    /** Most voters are lost for good, and the status offers what to go on from. */
    CHOICE_OF_A_SOURCE("MajorityLost") {
        @Override
        boolean isOffered(String message) {
            return OFFER.matcher(message).find();
        }

        @Override
        void end(Scene scene) {
            Matcher offer = OFFER.matcher(message(scene));
            if (offer.find()) {
                annotate(scene, offer.group(1));
            }
        }
    },
    /** Nothing is left of it: it is deleted with its claims, and made again. */
    NOTHING_IS_LEFT("MajorityLost") {
        @Override
        boolean isOffered(String message) {
            return !OFFER.matcher(message).find();
        }

        @Override
        void end(Scene scene) {
            beginAnew(scene);
        }
    },
    /** An automatic recovery failed: its EtcdRestore is deleted, so that it is tried again. */
    RECOVERY_FAILED("RecoveryFailed") {
        @Override
        void end(Scene scene) {
            scene.world().server().list(EtcdRestore.class).forEach(scene.world().controllers()::delete);
        }
    },
    BOOTSTRAP_CUT_SHORT("BootstrapBroken") {
        @Override
        void end(Scene scene) {
            beginAnew(scene);
        }
    },
    ALL_CLAIMS_GONE("DataGone") {
        @Override
        void end(Scene scene) {
            beginAnew(scene);
        }
    };

    private static final Pattern OFFER = Pattern.compile("etcd\\.improbable\\.io/recover=(\\S+?)(,|$)");

    private final String reason;

    Wait(String reason) {
        this.reason = reason;
    }

    abstract void end(Scene scene);

    boolean isOffered(String message) {
        return true;
    }

    static Optional<Wait> of(Scene scene) {
        return scene.world().cluster().map(SaidStatus::of).flatMap(status -> {
            for (Wait wait : values()) {
                if (wait.reason.equals(status.reason("Progressing")) && wait.isOffered(message(scene))) {
                    return Optional.of(wait);
                }
            }
            return Optional.empty();
        });
    }

    private static String message(Scene scene) {
        return scene.world()
                .cluster()
                .map(SaidStatus::of)
                .flatMap(status -> status.condition("Progressing"))
                .map(Condition::getMessage)
                .orElse("");
    }

    private static void annotate(Scene scene, String chosen) {
        scene.world().server().change(scene.world().cluster().orElseThrow(), changed -> {
            changed.getMetadata()
                    .setAnnotations(ServerSideApply.merged(
                            changed.getMetadata().getAnnotations(), Map.of(Labels.RECOVER, chosen)));
            return changed;
        });
    }

    private static void beginAnew(Scene scene) {
        var world = scene.world();
        int replicas = world.cluster().orElseThrow().getSpec().replicas();
        world.controllers().delete(world.cluster().orElseThrow());
        world.server().list(PersistentVolumeClaim.class).forEach(world.controllers()::delete);
        scene.disturb();
        Rest.reach(scene);
        world.createCluster(replicas);
    }
}
