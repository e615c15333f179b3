package etcdoperator.exploration;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ClusterId;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Answer.Silent;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.etcd.Answer.Unasked;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.etcd.Volume;
import etcdoperator.simulation.kube.Container;
import etcdoperator.simulation.kube.FakeNodes;
import etcdoperator.simulation.kube.Watches;
import etcdoperator.simulation.world.SimulatedOperator;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.stream.Stream;

/**
 * The hash of a scene without names, versions and exact times: two scenes with the same hash go on in the same way. What
 * only the rules remember is no part of it.
 */
final class State {
    private static final List<Class<? extends HasMetadata>> KINDS = List.of(
            EtcdCluster.class,
            PersistentVolumeClaim.class,
            EtcdPeer.class,
            EtcdRestore.class,
            EtcdBackup.class,
            ReplicaSet.class,
            Job.class,
            Pod.class,
            Service.class,
            Secret.class,
            Node.class);

    private final Scene scene;
    private final World world;
    private final Digest digest;

    private State(Scene scene) {
        this.scene = scene;
        this.world = scene.world();
        this.digest = new Digest(world.clock().instant());
    }

    static long of(Scene scene) {
        var state = new State(scene);
        state.objects();
        state.volumes();
        state.pods();
        state.etcd();
        state.operator();
        state.endings();
        return state.digest.value();
    }

    private void objects() {
        for (Class<? extends HasMetadata> kind : KINDS) {
            digest.add(world.server().list(kind));
        }
        digest.add(world.server().isFrozen());
    }

    private void volumes() {
        List<Volume> volumes = Stream.concat(
                        world.server().list(PersistentVolumeClaim.class).stream()
                                .map(world.nodes()::volume),
                        world.etcd().running().stream().map(EtcdProcess::volume))
                .distinct()
                .toList();
        List<MemberData> all =
                volumes.stream().flatMap(volume -> volume.data().stream()).toList();
        for (Volume volume : volumes) {
            digest.add(volume.toString());
            digest.add(volume.isAway()).add(volume.isCorrupt()).add(volume.isFilled());
            volume.data().ifPresentOrElse(data -> data(data, all), () -> digest.add(0));
        }
        for (PersistentVolumeClaim claim : world.server().list(PersistentVolumeClaim.class)) {
            digest.add(world.nodes().disks().home(claim));
        }
    }

    /** Of logs only which goes further, who is a member by them, and whether anything is missing. */
    private void data(MemberData data, List<MemberData> all) {
        digest.addName(data.clusterId()).addName(data.self());
        List<MemberData> others = all.stream()
                .filter(other -> other.clusterId().equals(data.clusterId()))
                .toList();
        digest.add(others.stream()
                .filter(other -> MemberData.BY_LOG.compare(other, data) > 0)
                .count());
        digest.add(others.stream()
                .filter(other -> other.committed() > data.committed())
                .count());
        data.members().forEach(member -> {
            digest.addName(member.id()).add(member.learner()).add(member.name());
            member.peerUrls().forEach(digest::add);
            digest.add(member.clientUrls().size());
        });
        digest.addNames(data.everyVoter());
        digest.add(data.writes().containsAll(world.etcd().acknowledged(data.clusterId())));
        digest.add(data.storage()).add(data.oldestEntry());
    }

    private void pods() {
        FakeNodes nodes = world.nodes();
        for (Pod pod : world.server().list(Pod.class)) {
            digest.add(nodes.container(pod).map(Container::outline)).add(nodes.isBehind(pod));
        }
        nodes.states().keySet().stream()
                .sorted(digest.byNumber())
                .forEach(node -> digest.addName(node).add(nodes.states().get(node)));
    }

    private void etcd() {
        for (EtcdProcess process : world.etcd().running()) {
            digest.add(process.toString());
            digest.add(process.isReady()).add(Math.min(process.connectedFor(), 6));
        }
        world.etcd().running().stream()
                .map(process -> process.data().clusterId())
                .distinct()
                .forEach(this::cluster);
    }

    private void cluster(ClusterId id) {
        digest.addName(id);
        digest.add(world.etcd().leader(id).map(EtcdProcess::toString));
        digest.add(world.etcd().agreedVersions(id));
    }

    private void operator() {
        SimulatedOperator operator = scene.operator();
        digest.add(operator.isAlive());
        if (!operator.isAlive()) {
            return;
        }
        for (Watches watches : operator.watches()) {
            for (Class<? extends HasMetadata> kind : watches.behind()) {
                digest.add(kind.getSimpleName()).add(watches.all(kind));
            }
            watches.kinds().forEach(kind -> digest.add(watches.isStalled(kind)));
        }
        scene.due().forEach(digest::add);
        operator.due().forEach((key, time) -> digest.add(key).add(time));
        operator.probes().all().forEach((peer, answer) -> {
            digest.add(peer.toString());
            answer(answer);
        });
        digest.add(operator.workshop().outline());
    }

    private void answer(Answer answer) {
        digest.add(answer.at());
        switch (answer) {
            case Spoke spoke -> {
                digest.addName(spoke.status().clusterId())
                        .addName(spoke.status().memberId())
                        .addName(spoke.status().leader());
                digest.add(spoke.isWell())
                        .add(spoke.status().learner())
                        .add(spoke.status().version());
                spoke.members().forEach(member -> digest.addName(member.id()).add(member.learner()));
            }
            case Silent silent -> digest.add(silent.why()).add(silent.revision().isPresent());
            case Unasked unasked -> digest.add(3);
        }
    }

    private void endings() {
        for (Ending ending : scene.endings()) {
            digest.add(ending.kind()).add(ending.what()).add(ending.at());
        }
    }
}
