package etcdoperator.simulation.world;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.api.EtcdRestore;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.RestoredIds;
import etcdoperator.domain.Scheme;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.RestoreJobs;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.etcd.Volume;
import etcdoperator.simulation.kube.FakeAgents;
import etcdoperator.simulation.kube.Witness.Survivor;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the pods of a restore do: look at a backup, or make a cluster of one from a backup or from survivors' disks. */
public final class FakeAgentWork implements FakeAgents.Work {
    private final World world;
    private LongUnaryOperator told = LongUnaryOperator.identity();
    private UnaryOperator<List<String>> toldOfVoters = UnaryOperator.identity();

    FakeAgentWork(World world) {
        this.world = world;
    }

    /** For a test that wants to know whether anybody would notice. */
    public void tellOfLogs(LongUnaryOperator lie) {
        told = lie;
    }

    /** For a test that wants to know whether anybody would notice. */
    public void tellOfVoters(UnaryOperator<List<String>> lie) {
        toldOfVoters = lie;
    }

    @Override
    public AgentReport carryOut(Pod pod, boolean toTheEnd) {
        String name = pod.getMetadata().getLabels().get(Labels.RESTORE);
        Optional<EtcdRestore> restore = world.server().get(EtcdRestore.class, name);
        if (restore.isEmpty() || restore.get().getStatus() == null) {
            return said(AgentReport.State.FAILED, "the restore is gone", 0, null);
        }
        Map<String, String> mounted = new TreeMap<>();
        for (var volume : pod.getSpec().getVolumes()) {
            if (volume.getPersistentVolumeClaim() != null) {
                mounted.put(volume.getName(), volume.getPersistentVolumeClaim().getClaimName());
            }
        }
        String owner = pod.getMetadata().getOwnerReferences().getFirst().getName();
        String chosen = restore.get().getStatus().chosen().backup();
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
        AgentReport report = chosen == null
                ? salvage(restore.get(), target, mounted.get("survivor"))
                : fill(restore.get(), target, chosen);
        if (toTheEnd && report.state() == AgentReport.State.COMPLETED) {
            world.nodes().volume(target).noteThatItIsFilled();
        }
        return report;
    }

    private AgentReport inspect(String backup) {
        return world.backups()
                .of(backup)
                .map(values -> said(AgentReport.State.COMPLETED, "looked", values.size() + 1, backup))
                .orElseGet(() -> said(AgentReport.State.FAILED, "there is no such backup", 0, backup));
    }

    private AgentReport fill(EtcdRestore restore, PersistentVolumeClaim target, String backup) {
        List<Integer> values = world.backups().of(backup).orElseThrow();
        put(restore, target, Optional.empty(), values);
        return said(AgentReport.State.COMPLETED, "filled", values.size() + 1, null);
    }

    /** How far the log on a survivor's disk goes, and who votes by it. @param ofLearner whether it may be that of one */
    private AgentReport survey(String claim, boolean ofLearner) {
        return disk(claim)
                .filter(source -> ofLearner
                        || source.data().everyVoter().contains(source.data().self()))
                .map(source -> said(
                        AgentReport.State.COMPLETED,
                        "looked",
                        0,
                        claim,
                        told.applyAsLong(source.data().lastTerm()),
                        told.applyAsLong(source.data().lastIndex()),
                        toldOfVoters.apply(source.data().everyVoter().stream()
                                .map(MemberId::toString)
                                .toList())))
                .orElseGet(() -> said(AgentReport.State.FAILED, "there is no data on " + claim, 0, claim));
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
            return said(AgentReport.State.FAILED, "there is no data on " + survivor, 0, survivor);
        }
        world.witness()
                .read(world.server().get(PersistentVolumeClaim.class, survivor).orElseThrow());
        List<Integer> values = source.get().data().everyWrite();
        put(restore, target, source, values);
        return said(AgentReport.State.COMPLETED, "salvaged", values.size() + 1, survivor);
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

    private AgentReport said(AgentReport.State state, String message, long revision, String source) {
        return said(state, message, revision, source, null, null, null);
    }

    private AgentReport said(
            AgentReport.State state,
            String message,
            long revision,
            String source,
            @Nullable Long term,
            @Nullable Long index,
            @Nullable List<String> voters) {
        return new AgentReport(
                state,
                message,
                null,
                null,
                revision,
                null,
                null,
                null,
                "sum",
                null,
                world.clock().instant(),
                null,
                null,
                null,
                source,
                term,
                index,
                voters,
                null);
    }
}
