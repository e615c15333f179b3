package etcdoperator.simulation.world;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus.ChosenBackup;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.RestoredIds;
import etcdoperator.domain.Scheme;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.RestoreJobs;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.etcd.Volume;
import etcdoperator.simulation.kube.AgentRun;
import etcdoperator.simulation.kube.FakeAgents;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.Witness.Survivor;
import etcdoperator.simulation.store.StoredSnapshot;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/** What agents do: for a restore in one go, for a backup or a drill step by step. */
public final class FakeAgentWork implements FakeAgents.Work {
    private final World world;
    private LongUnaryOperator told = LongUnaryOperator.identity();
    private UnaryOperator<List<String>> toldOfVoters = UnaryOperator.identity();
    private final Snapshots snapshots;
    private boolean heedless;
    private boolean unconfirmed;
    private boolean strangers;

    FakeAgentWork(World world) {
        this.world = world;
        this.snapshots = new Snapshots(world);
    }

    /** For a test that wants to know whether anybody would notice. */
    public void tellOfLogs(LongUnaryOperator lie) {
        told = lie;
    }

    /** For a test that wants to know whether anybody would notice. */
    public void tellOfVoters(UnaryOperator<List<String>> lie) {
        toldOfVoters = lie;
    }

    /** For a test: agents of backups store anew what is stored already. */
    public void storeAgain() {
        heedless = true;
    }

    /** For a test: agents take what the first member gives them. */
    public void askAnybody() {
        unconfirmed = true;
    }

    /** For a test: agents take what members of other clusters give them. */
    public void askStrangers() {
        strangers = true;
    }

    @Override
    public AgentRun begin(Pod pod) {
        AgentFlags flags = AgentFlags.of(pod);
        String node = pod.getSpec().getNodeName();
        return switch (pod.getSpec().getContainers().getFirst().getName()) {
            case "backup" -> new BackupAgent(world, flags, () -> source(pod, flags, node), heedless);
            case "delete" -> new EraseAgent(world, flags);
            case "drill" -> new DrillAgent(world, fetching(pod), flags);
            default -> throw new IllegalStateException("nobody knows what pod " + pod + " is for");
        };
    }

    private Optional<StoredSnapshot> source(Pod pod, AgentFlags flags, String node) {
        if (flags.find("data-dir").isPresent()) {
            return snapshots.ofVolume(
                    Objects.claimOf(pod), flags.find("etcd-version").orElse("unknown"));
        }
        Optional<StoredSnapshot> strange = flags.find("cluster-id")
                .filter(id -> strangers)
                .flatMap(id -> snapshots.ofStranger(ClusterId.parse(id)));
        return strange.or(() -> unconfirmed
                ? snapshots.ofAnybody(flags.list("endpoints"), node)
                : snapshots.ofMember(flags.list("endpoints"), flags.find("cluster-id"), node));
    }

    private static AgentFlags fetching(Pod pod) {
        return AgentFlags.of(pod.getSpec().getInitContainers().getFirst());
    }

    @Override
    public AgentReport carryOut(Pod pod, boolean toTheEnd) {
        String name = pod.getMetadata().getLabels().get(Labels.RESTORE);
        Optional<EtcdRestore> restore = world.server().get(EtcdRestore.class, name);
        if (restore.isEmpty() || restore.get().getStatus() == null) {
            return failed("the restore is gone");
        }
        Map<String, String> mounted = new TreeMap<>();
        for (var volume : pod.getSpec().getVolumes()) {
            if (volume.getPersistentVolumeClaim() != null) {
                mounted.put(volume.getName(), volume.getPersistentVolumeClaim().getClaimName());
            }
        }
        String owner = pod.getMetadata().getOwnerReferences().getFirst().getName();
        ChosenBackup chosen = restore.get().getStatus().chosen();
        if (owner.equals(RestoreJobs.inspection(name))) {
            return inspect(chosen);
        }
        if (owner.startsWith(name + "-survey-") || owner.startsWith(name + "-look-")) {
            return survey(mounted.get("survivor"), false);
        }
        if (owner.startsWith(name + "-voters-")) {
            return survey(mounted.get("survivor"), true);
        }
        PersistentVolumeClaim target = world.server()
                .get(PersistentVolumeClaim.class, mounted.get("data"))
                .orElseThrow();
        AgentReport report = chosen.backup() == null
                ? salvage(restore.get(), target, mounted.get("survivor"))
                : fill(restore.get(), target, chosen);
        if (toTheEnd && report.state() == AgentReport.State.COMPLETED) {
            world.nodes().volume(target).noteThatItIsFilled();
        }
        return report;
    }

    private AgentReport inspect(ChosenBackup chosen) {
        return object(chosen)
                .map(snapshot ->
                        completed("looked").about(snapshot.revision(), chosen.backup()).report())
                .orElseGet(() -> failed("there is no such backup"));
    }

    private AgentReport fill(EtcdRestore restore, PersistentVolumeClaim target, ChosenBackup chosen) {
        Optional<StoredSnapshot> object = object(chosen);
        if (object.isEmpty()) {
            return failed("the object of EtcdBackup %s is gone, or another one".formatted(chosen.backup()));
        }
        put(restore, target, Optional.empty(), object.get().values());
        return completed("filled").about(object.get().revision(), null).report();
    }

    private Optional<StoredSnapshot> object(ChosenBackup chosen) {
        return world.store()
                .object(chosen.location().bucket().objectPath())
                .filter(snapshot -> snapshot.sha256().equals(chosen.sha256()));
    }

    /** How far the log on a survivor's disk goes, and who votes by it. @param ofLearner whether it may be that of one */
    private AgentReport survey(String claim, boolean ofLearner) {
        return disk(claim)
                .filter(source -> ofLearner
                        || source.data().everyVoter().contains(source.data().self()))
                .map(source -> completed("looked")
                        .about(0, claim)
                        .log(
                                told.applyAsLong(source.data().lastTerm()),
                                told.applyAsLong(source.data().lastIndex()),
                                toldOfVoters.apply(source.data().everyVoter().stream()
                                        .map(MemberId::toString)
                                        .toList()))
                        .report())
                .orElseGet(() -> failed("there is no data on " + claim));
    }

    private Optional<Survivor> disk(String claim) {
        return world.server()
                .get(PersistentVolumeClaim.class, claim)
                .map(world.nodes()::volume)
                .filter(volume -> !volume.isAway())
                .flatMap(Volume::data)
                .map(data -> new Survivor(claim, data));
    }

    private AgentReport salvage(EtcdRestore restore, PersistentVolumeClaim target, String survivor) {
        Optional<Survivor> source = disk(survivor);
        if (source.isEmpty()) {
            return failed("there is no data on " + survivor);
        }
        world.witness()
                .read(world.server().get(PersistentVolumeClaim.class, survivor).orElseThrow());
        List<Integer> values = source.get().data().everyWrite();
        put(restore, target, source, values);
        return completed("salvaged").about(values.size() + 1, survivor).report();
    }

    /** What is done already may be in use: it is left alone. */
    private void put(
            EtcdRestore restore, PersistentVolumeClaim target, Optional<Survivor> source, List<Integer> values) {
        if (world.nodes().volume(target).isFilled()) {
            return;
        }
        world.witness().filled(restore, target, source, values);
        String url = Addresses.peerUrl(
                Scheme.named(target.getMetadata().getAnnotations().get(Labels.PEER_SCHEME)),
                Addresses.memberHost(World.KEY, target.getMetadata().getName()));
        var ids = RestoredIds.of(url, restore.getMetadata().getUid());
        world.trace()
                .note("claim %s is filled with %s as %s"
                        .formatted(target.getMetadata().getName(), values, ids));
        world.nodes().volume(target).empty();
        world.nodes().volume(target).format(MemberData.restored(ids, World.KEY.name() + "-0", url, values));
        world.etcd().restored(ids.clusterId(), values);
    }

    private LastWords completed(String message) {
        return LastWords.completed(message, world.clock().instant());
    }

    private AgentReport failed(String why) {
        return LastWords.failed(why, world.clock().instant());
    }
}
