package etcdoperator.bench;

import com.google.protobuf.ByteString;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.etcd.grpc.proto.KVGrpc;
import etcdoperator.etcd.grpc.proto.PutRequest;
import etcdoperator.etcd.grpc.proto.RangeRequest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Most disks of a cluster are gone, or all: how long until it is whole again with its data, beyond the grace period. */
final class Disaster {
    private static final String NAME = "c00";
    private static final String PEER = "etcd.improbable.io/peer-name";
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final double SURVIVOR_SECONDS = 20;
    private static final double BACKUP_SECONDS = 40;
    private static final int KEYS = 1000;
    private static final int VALUE_BYTES = 1024;
    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private static final String AUTOMATIC =
            "{\"spec\": {\"recovery\": {\"quorumLoss\": \"Automatic\", \"quorumLossGrace\": \"%ds\"}}}"
                    .formatted(GRACE.toSeconds());
    private static final String BACKUP = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: backups}
            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 50Mi}}}
            ---
            apiVersion: etcd.improbable.io/v1alpha1
            kind: EtcdBackup
            metadata: {name: night}
            spec:
              source: {cluster: %s}
              destination: {volume: {claimName: backups, path: night.db}}
            """.formatted(NAME);

    private final Bed bed;
    private final Results results;
    private final Faults faults;

    Disaster(Bed bed, Results results) {
        this.bed = bed;
        this.results = results;
        this.faults = new Faults(bed.client());
    }

    void twoDisksGone() throws IOException, InterruptedException {
        add("recover-disk", "o  two of three disks gone, whole from the third", SURVIVOR_SECONDS, false);
    }

    void allDisksGone() throws IOException, InterruptedException {
        add("recover-backup", "p  all disks gone, whole from a backup", BACKUP_SECONDS, true);
    }

    private void add(String key, String what, double target, boolean all) throws IOException, InterruptedException {
        List<Run> runs = new ArrayList<>();
        for (int number = 1; number <= Trials.RUNS; number++) {
            Run run = measure(all);
            System.err.printf(
                    "  %s, run %d of %d: serves after %.2f s, whole after %.2f s beyond the grace period%n",
                    what, number, Trials.RUNS, run.serves(), run.whole());
            runs.add(run);
        }
        results.add(key, what, "s", median(runs, Run::whole), OptionalDouble.of(target), "beyond the grace period");
        results.add(key + ".serves", "   until the first member serves", "s", median(runs, Run::serves));
    }

    /** In seconds beyond the grace period. */
    private record Run(double serves, double whole) {
        static Run since(long begin, long serves, long whole) {
            double grace = Trial.seconds(GRACE);
            return new Run((serves - begin) / 1e9 - grace, (whole - begin) / 1e9 - grace);
        }
    }

    private static double median(List<Run> runs, ToDoubleFunction<Run> figure) {
        return runs.stream().mapToDouble(figure).sorted().toArray()[runs.size() / 2];
    }

    /** In a namespace of its own: what is set aside by one run must not weigh on the next. */
    private Run measure(boolean all) throws IOException, InterruptedException {
        String namespace = bed.newNamespace("disaster");
        try (var connections = new Connections(bed.client(), namespace)) {
            var members = new Members(connections);
            begin(namespace, connections, members);
            if (all) {
                backUp(namespace);
            }
            String leader = members.leader();
            List<Faults.Victim> victims = new ArrayList<>();
            Set<Long> old = new HashSet<>();
            for (Pod pod : members.pods()) {
                old.add(members.id(peerOf(pod)));
                if (all || !leader.equals(peerOf(pod))) {
                    victims.add(Faults.victim(pod, claimOf(namespace, peerOf(pod))));
                }
            }
            long begin = System.nanoTime();
            faults.loseWithClaims(victims);
            members.awaitAnybody(old);
            long serves = System.nanoTime();
            members.awaitVoters(3, old);
            Poll.until("all keys are there", INTERVAL, () -> holdsAll(connections));
            return Run.since(begin, serves, System.nanoTime());
        } finally {
            bed.remove(namespace);
        }
    }

    private void begin(String namespace, Connections connections, Members members)
            throws IOException, InterruptedException {
        bed.apply(Subject.OPERATOR, namespace, 0, 1, 3);
        bed.client()
                .resources(EtcdCluster.class)
                .inNamespace(namespace)
                .withName(NAME)
                .patch(PatchContext.of(PatchType.JSON_MERGE), AUTOMATIC);
        members.awaitVoters(3, Set.of());
        Poll.until("the operator knows them", INTERVAL, () -> isSettled(namespace));
        ManagedChannel channel = connections.all().getFirst();
        ByteString value = ByteString.copyFrom(new byte[VALUE_BYTES]);
        for (int i = 0; i < KEYS; i++) {
            var _ = kv(channel)
                    .put(PutRequest.newBuilder()
                            .setKey(ByteString.copyFromUtf8("data/%04d".formatted(i)))
                            .setValue(value)
                            .build());
        }
    }

    private boolean isSettled(String namespace) {
        var status = bed.client()
                .resources(EtcdCluster.class)
                .inNamespace(namespace)
                .withName(NAME)
                .get()
                .getStatus();
        return status != null && status.members().size() == 3 && status.operation() == null;
    }

    private void backUp(String namespace) throws InterruptedException {
        bed.client().load(new ByteArrayInputStream(BACKUP.getBytes(StandardCharsets.UTF_8))).items().stream()
                .map(HasMetadata.class::cast)
                .forEach(object ->
                        bed.client().resource(object).inNamespace(namespace).create());
        Poll.until("the backup is complete", INTERVAL, () -> {
            var status = bed.client()
                    .resources(EtcdBackup.class)
                    .inNamespace(namespace)
                    .withName("night")
                    .get()
                    .getStatus();
            return status != null && status.phase() == BackupPhase.COMPLETED;
        });
    }

    private static boolean holdsAll(Connections connections) {
        return connections.all().stream().anyMatch(channel -> {
            try {
                return kv(channel)
                                .range(RangeRequest.newBuilder()
                                        .setKey(ByteString.copyFromUtf8("data/"))
                                        .setRangeEnd(ByteString.copyFromUtf8("data0"))
                                        .build())
                                .getKvsCount()
                        == KEYS;
            } catch (StatusRuntimeException e) {
                return false;
            }
        });
    }

    private static KVGrpc.KVBlockingStub kv(ManagedChannel channel) {
        return KVGrpc.newBlockingStub(channel).withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static String peerOf(Pod pod) {
        return Objects.requireNonNull(pod.getMetadata().getLabels().get(PEER));
    }

    private String claimOf(String namespace, String peer) {
        return bed.client()
                .resources(EtcdPeer.class)
                .inNamespace(namespace)
                .withName(peer)
                .get()
                .getSpec()
                .claimName();
    }
}
