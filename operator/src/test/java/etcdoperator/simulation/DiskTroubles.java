package etcdoperator.simulation;

import etcdoperator.domain.Scheme;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What disks, and users with an eye on them, do to the data of a cluster. */
final class DiskTroubles {
    private static final String ARGO = "app.kubernetes.io/instance";

    private final World world;
    private final Dice dice;
    private boolean spoiled;
    private boolean hurt;

    DiskTroubles(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    /** Whether volumes are such that nobody can say whose data was, or is, on them. */
    boolean haveSpoiled() {
        return spoiled || usedBefore().findAny().isPresent();
    }

    /** Whether data was taken away. */
    boolean haveHurt() {
        return hurt;
    }

    /** Used or not: what is in use goes when its pod ends. */
    void delete(PersistentVolumeClaim claim) {
        lose(claim);
        remove(claim);
    }

    void corrupt(PersistentVolumeClaim claim) {
        Volume volume = world.nodes().volume(claim);
        note("volume " + volume + " is corrupted");
        lose(claim);
        volume.user().ifPresent(EtcdProcess::kill);
        volume.corrupt();
    }

    /** For a while, so that etcd gives up on data that is intact. */
    void failToRead(PersistentVolumeClaim claim) {
        Volume volume = world.nodes().volume(claim);
        note("volume " + volume + " cannot be read for a while");
        lose(claim);
        volume.user().ifPresent(EtcdProcess::kill);
        volume.failToRead(dice.below(2));
    }

    void readAll() {
        world.claims().stream()
                .map(world.nodes()::volume)
                .filter(Volume::isUnreadable)
                .forEach(volume -> {
                    note("volume " + volume + " can be read again");
                    volume.readAgain();
                });
    }

    /** Before the operator could have seen who is on it, nobody can say what is lost with it. */
    private void lose(PersistentVolumeClaim claim) {
        hurt = true;
        spoiled = spoiled || !isJudged(claim.getMetadata().getName());
    }

    /** A node is said to be gone, and with it all that it alone has. */
    void mayBeLost(String node) {
        world.claims().stream()
                .filter(claim -> world.nodes().disks().home(claim).equals(Optional.of(node)))
                .forEach(this::lose);
    }

    void empty(PersistentVolumeClaim claim) {
        Volume volume = world.nodes().volume(claim);
        note("volume " + volume + " is emptied");
        volume.user().ifPresent(EtcdProcess::kill);
        if (volume.data().isPresent()) {
            lose(claim);
        }
        volume.empty();
    }

    /** An administrator frees the volume of a claim that is gone, or of another cluster, and does not wipe it. */
    void freeUsedDisk() {
        Set<String> claims = world.server().list(PersistentVolumeClaim.class).stream()
                .map(claim -> claim.getMetadata().getUid())
                .collect(Collectors.toSet());
        Optional<Volume> released = dice.pick(world.nodes().disks().released(claims));
        MemberData data =
                released.isPresent() && dice.oneIn(2) ? released.get().handOn() : ofEarlierCluster();
        note("the disk of %s of %s is free, and not wiped".formatted(data.self(), data.clusterId()));
        world.nodes().disks().free(data);
    }

    /** Of one member, which serves as soon as it runs. */
    private MemberData ofEarlierCluster() {
        String name = World.KEY.name() + "-" + dice.below(3);
        String url = Addresses.peerUrl(Scheme.HTTP, Addresses.memberHost(World.KEY, name));
        return MemberData.founder(
                new StartFlags(name, url, url, Map.of(name, url), "new", "earlier-" + dice.below(1_000_000)));
    }

    private Stream<PersistentVolumeClaim> usedBefore() {
        return world.claims().stream()
                .filter(claim -> world.nodes().volume(claim).isUsedBefore());
    }

    /** As the condition says. */
    void deleteUsed() {
        usedBefore().toList().forEach(this::delete);
    }

    /** As when a node has started without it. */
    void unmount(PersistentVolumeClaim claim) {
        Volume volume = world.nodes().volume(claim);
        note("volume " + volume + " is not mounted");
        volume.user().ifPresent(EtcdProcess::kill);
        lose(claim);
        volume.unmount();
    }

    void mount(Volume volume) {
        note("volume " + volume + " is mounted again");
        volume.mount(world.clock().instant());
    }

    /** @return whether any was not */
    boolean mountAll() {
        List<Volume> away = world.nodes().disks().away();
        away.forEach(this::mount);
        return !away.isEmpty();
    }

    void deleteIdle() {
        List<PersistentVolumeClaim> idle = world.claims().stream()
                .filter(claim -> world.nodes().volume(claim).user().isEmpty())
                .toList();
        dice.pick(idle).ifPresent(claim -> {
            lose(claim);
            world.nodes().volume(claim).empty();
            remove(claim);
        });
    }

    void makeForeignClaim() {
        String name = World.KEY.name() + "-" + dice.below(4);
        if (world.server().get(PersistentVolumeClaim.class, name).isPresent()) {
            return;
        }
        spoiled = true;
        boolean labelled = dice.oneIn(2);
        note("somebody makes claim " + name + (labelled ? " with" : " without") + " our label");
        var claim = new PersistentVolumeClaim();
        claim.setMetadata(new ObjectMetaBuilder()
                .withNamespace(World.KEY.namespace())
                .withName(name)
                .withLabels(labelled ? Map.of(Labels.CLUSTER, World.KEY.name()) : Map.of())
                .build());
        claim.setSpec(new PersistentVolumeClaimSpec());
        world.server().create(claim);
    }

    /** As operators made claims before they knew what Argo CD does to them. */
    void labelForArgo(PersistentVolumeClaim claim) {
        note(Objects.describe(claim) + " may be pruned");
        Map<String, String> labels = new HashMap<>(claim.getMetadata().getLabels());
        labels.put(ARGO, World.KEY.name());
        world.server().change(claim, changed -> {
            changed.getMetadata().setLabels(labels);
            return changed;
        });
    }

    /** Only what operators have made is theirs to change. */
    static boolean mayBePruned(PersistentVolumeClaim claim) {
        Map<String, String> labels = claim.getMetadata().getLabels();
        return labels.containsKey(ARGO) && labels.containsKey("app.kubernetes.io/managed-by");
    }

    /** The user wants to begin anew. */
    void deleteAll() {
        spoiled = true;
        world.claims().forEach(this::remove);
    }

    /** Of the member that knows most. */
    void emptyTheFullest() {
        Optional<PersistentVolumeClaim> best = world.claims().stream()
                .filter(claim -> world.nodes().volume(claim).data().isPresent())
                .max(Comparator.comparingInt(claim ->
                        world.nodes().volume(claim).data().orElseThrow().lastIndex()));
        best.ifPresent(this::empty);
    }

    /** Whether the claim tells who is on it, or that nobody is yet. */
    boolean isJudged(String claim) {
        return world.server()
                .get(PersistentVolumeClaim.class, claim)
                .map(object -> object.getMetadata().getAnnotations())
                .map(annotations ->
                        annotations.containsKey(Labels.MEMBER_ID) || annotations.containsKey(Labels.JOINING))
                .orElse(false);
    }

    private void remove(PersistentVolumeClaim claim) {
        note("delete " + Objects.describe(claim));
        world.controllers().delete(claim);
    }

    private void note(String line) {
        world.trace().note("trouble: " + line);
    }
}
