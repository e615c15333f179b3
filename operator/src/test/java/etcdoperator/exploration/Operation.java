package etcdoperator.exploration;

import etcdoperator.simulation.world.Sabotage;
import etcdoperator.simulation.world.Setting;
import etcdoperator.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an operator does for a cluster, from the moment that it is called for. */
enum Operation {
    CREATE,
    SCALE_UP,
    SCALE_DOWN,
    REPLACE,
    RESTART,
    UPGRADE,
    TLS,
    CA_ROTATION,
    RECOVERY,
    SLEEP,
    WAKE;

    private static final Setting PLAIN = Setting.quick();

    /** A scene in which the operation has just been called for. */
    Scene begin(int members, Sabotage sabotage) {
        var scene = new Scene(setting(), sabotage);
        if (this != CREATE) {
            scene.world().createCluster(members);
            Rest.reach(scene);
            require(scene);
        }
        if (this == WAKE) {
            Wish.replicas(scene, 0);
            Rest.reach(scene);
        }
        call(scene, members);
        scene.disturb();
        scene.countFromHere();
        return scene;
    }

    /** The sizes that it has a meaning for. */
    boolean isPossible(int members) {
        return switch (this) {
            case SCALE_DOWN, REPLACE -> members > 1;
            case CREATE, SCALE_UP, RESTART, UPGRADE, TLS, CA_ROTATION, RECOVERY, SLEEP, WAKE -> true;
        };
    }

    static List<Case> cases(List<Integer> sizes) {
        List<Case> all = new ArrayList<>();
        for (int members : sizes) {
            for (Operation operation : values()) {
                if (operation.isPossible(members)) {
                    all.add(new Case(operation, members));
                }
            }
        }
        return all;
    }

    private Setting setting() {
        return this == CA_ROTATION
                ? PLAIN.secured(World.ENCRYPTED)
                : this == TLS ? PLAIN.secured(Optional.empty()) : PLAIN;
    }

    private void call(Scene scene, int members) {
        switch (this) {
            case CREATE -> scene.world().createCluster(members);
            case SCALE_UP -> Wish.replicas(scene, members + 2);
            case SCALE_DOWN -> Wish.replicas(scene, members - 2);
            case REPLACE -> lose(scene, 1);
            case RESTART -> Wish.settings(scene, "one");
            case UPGRADE -> Wish.version(scene, "3.7.3");
            case TLS -> Wish.tls(scene);
            case CA_ROTATION -> Wish.rotation(scene);
            case RECOVERY -> lose(scene, members / 2 + 1);
            case SLEEP -> Wish.replicas(scene, 0);
            case WAKE -> Wish.replicas(scene, members);
        }
    }

    private static void lose(Scene scene, int disks) {
        if (disks == 1 && scene.world().claims().size() == 1) {
            scene.world().leaders().findFirst().ifPresent(scene.world().backups()::take);
        }
        var troublemaker = new Troublemaker(scene);
        scene.world().claims().subList(0, disks).forEach(troublemaker::loseDisk);
    }

    private void require(Scene scene) {
        Optional<String> broken = new Judgement(scene).complaint();
        if (broken.isPresent()) {
            throw new IllegalStateException("not well before " + this + ": " + broken.get());
        }
    }
}
