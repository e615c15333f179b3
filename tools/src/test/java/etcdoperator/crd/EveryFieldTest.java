package etcdoperator.crd;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.backup.BackupPass;
import etcdoperator.backup.BackupWorld;
import etcdoperator.crd.Fields.Field;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.RestoreCache;
import etcdoperator.manifest.AnyAgents;
import etcdoperator.manifest.Labels;
import etcdoperator.operator.FailureConditions;
import etcdoperator.operator.ReportedPass;
import etcdoperator.reconcile.WorkQueue;
import etcdoperator.restore.RestorePass;
import etcdoperator.schedule.SchedulePass;
import etcdoperator.simulation.RunningCluster;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * Whatever is written into whichever field of whichever kind: the object can be read, no pass over it throws or goes on
 * without end, it says how it is, and is well again once the field is put right. Rules of the CRDs do not count here,
 * because objects may be older than the rules.
 */
class EveryFieldTest {
    private static final int PASSES = 12;

    /** The simulated etcd tells nothing of its users. */
    private static final String NO_USERS_HERE = "spec.auth";

    private static final Map<Class<?>, JSONSchemaProps> SCHEMAS = new ConcurrentHashMap<>();

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    static Stream<String> partsOfACluster() {
        return parts(EtcdCluster.class);
    }

    /** Spec and status, by their fields. */
    private static Stream<String> parts(Class<? extends CustomResource<?, ?>> kind) {
        return Stream.of("spec", "status")
                .flatMap(part -> SchemaWalk.at(schema(kind), part).getProperties().keySet().stream()
                        .sorted()
                        .map(name -> part + "." + name));
    }

    private static JSONSchemaProps schema(Class<? extends CustomResource<?, ?>> kind) {
        return SCHEMAS.computeIfAbsent(kind, k -> Crds.root(kind));
    }

    private static Stream<Field> fields(Class<? extends CustomResource<?, ?>> kind, String part) {
        return Fields.of(schema(kind)).filter(field -> (field + ".").startsWith(part + "."));
    }

    private static ObjectNode tree(Object object) {
        return Serialization.jsonMapper().valueToTree(object);
    }

    private static <T> T read(ObjectNode tree, Class<T> kind) {
        return Serialization.jsonMapper().convertValue(tree, kind);
    }

    @ParameterizedTest
    @MethodSource("partsOfACluster")
    void aRunningCluster(String part) {
        List<String> wrong = new ArrayList<>();
        RunningCluster running = RunningCluster.ofThree();
        ObjectNode well = tree(running.cluster());
        for (Field field : fields(EtcdCluster.class, part).toList()) {
            for (JsonNode value : field.values()) {
                if (field.toString().equals("spec.replicas") && value.asInt() < 0) {
                    // Refused by every release of the CRDs, and the one number that a pass counts down from.
                    continue;
                }
                String what = field + ": " + shortened(value);
                int before = wrong.size();
                running.write(read(field.in(well, schema(EtcdCluster.class), value), EtcdCluster.class));
                if (!running.goOn()) {
                    wrong.add(what + " never comes to rest");
                }
                judge(what, running.failures(), conditions(running.cluster()), wrong);
                running.write(read(well, EtcdCluster.class));
                running.goOn();
                running.failures().forEach(e -> wrong.add(what + " still throws " + e + " at " + place(e)));
                if (!isWell(running.cluster()) && !part.equals(NO_USERS_HERE)) {
                    wrong.add(what + " is not well again: " + conditions(running.cluster()));
                }
                if (wrong.size() > before) {
                    running = RunningCluster.ofThree();
                }
            }
        }
        assertThat(wrong.stream().distinct()).isEmpty();
    }

    /** A pass may find a value that it cannot read, and then says so; it fails in no other way. */
    private static void judge(
            String what, List<? extends Throwable> failures, List<String> conditions, List<String> wrong) {
        failures.stream()
                .filter(e -> !(e instanceof IllegalArgumentException))
                .forEach(e -> wrong.add(what + " throws " + e + " at " + place(e)));
        if (conditions.isEmpty()) {
            wrong.add(what + " says nothing");
        }
        if (!failures.isEmpty() && conditions.stream().noneMatch(text -> text.contains("PassFailed"))) {
            wrong.add(what + " does not say " + failures.getFirst() + " but " + conditions);
        }
    }

    static Stream<String> partsOfAPeer() {
        return parts(EtcdPeer.class);
    }

    /** Nobody but the operator should write there, and anybody may. */
    @ParameterizedTest
    @MethodSource("partsOfAPeer")
    void aPeerOfARunningCluster(String part) {
        List<String> wrong = new ArrayList<>();
        RunningCluster running = RunningCluster.ofThree();
        for (Field field : fields(EtcdPeer.class, part).toList()) {
            for (JsonNode value : field.values()) {
                String what = field + ": " + shortened(value);
                ObjectNode well = tree(running.peers().getLast());
                running.write(read(field.in(well, schema(EtcdPeer.class), value), EtcdPeer.class));
                running.goOn();
                judge(what, running.failures(), conditions(running.cluster()), wrong);
                running.write(read(well, EtcdPeer.class));
                running.goOn();
                running.failures();
                running = isWell(running.cluster()) ? running : RunningCluster.ofThree();
            }
        }
        assertThat(wrong.stream().distinct()).isEmpty();
    }

    /** A kind whose passes need no members that run. */
    private record Stage<T extends CustomResource<?, ?>>(
            Class<T> kind,
            String manifest,
            BackupWorld world,
            WorkQueue.Pass<ObjectKey> pass,
            BiFunction<T, String, Optional<T>> failing,
            List<RuntimeException> failures) {
        ObjectNode well() {
            return tree(Serialization.unmarshal(manifest, kind));
        }

        void write(ObjectNode object) {
            world.has(read(object, kind));
        }

        /** @return whether the last of many passes writes nothing */
        boolean goOn() {
            int before = 0;
            for (int i = 0; i < PASSES; i++) {
                before = world.effects().size();
                try {
                    new ReportedPass<>(pass, key -> world.find(kind, key.name()), failing, world.kube())
                            .run(new ObjectKey(BackupWorld.NAMESPACE, "x"));
                } catch (StaleViewException e) {
                    // Looks again.
                } catch (RuntimeException e) {
                    failures.add(e);
                }
                world.pass(Duration.ofSeconds(1));
            }
            return world.effects().size() == before;
        }
    }

    private static Stage<EtcdBackup> backup() {
        var world = new BackupWorld();
        var pass = new BackupPass(world, world.kube(), world, AnyAgents.of("operator:1"), world.clock());
        return new Stage<>(
                EtcdBackup.class, """
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: x, namespace: ns}
                spec:
                  source: {endpoints: ["https://etcd.example.com:2379"]}
                  destination: {volume: {claimName: backups}}
                """, world, pass::run, new FailureConditions(world.clock())::on, new ArrayList<>());
    }

    private static Stage<EtcdBackupSchedule> schedule() {
        var world = new BackupWorld();
        var pass = new SchedulePass(
                world,
                world.kube(),
                AnyAgents.of("operator:1"),
                () -> Optional.of(world.clock().instant()),
                world.clock());
        return new Stage<>(
                EtcdBackupSchedule.class,
                """
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackupSchedule
                metadata: {name: x, namespace: ns}
                spec:
                  schedule: "0 3 * * *"
                  drill: {schedule: "0 4 * * *"}
                  backupTemplate:
                    source: {cluster: c}
                    destination: {volume: {claimName: backups}}
                """,
                world,
                pass::run,
                new FailureConditions(world.clock())::on,
                new ArrayList<>());
    }

    private static Stage<EtcdRestore> restore() {
        var world = new BackupWorld();
        var pass = new RestorePass(cache(world), world.kube(), AnyAgents.of("operator:1"), false, world.clock());
        return new Stage<>(
                EtcdRestore.class, """
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdRestore
                metadata: {name: x, namespace: ns}
                spec:
                  source: {volume: {claimName: backups, path: a.db}}
                  clusterTemplate:
                    clusterName: c
                    spec:
                      replicas: 3
                      version: 3.6.16
                      storage: {volumeClaimTemplate: {resources: {requests: {storage: 1Gi}}}}
                """, world, pass::run, new FailureConditions(world.clock())::on, new ArrayList<>());
    }

    private static RestoreCache cache(BackupWorld world) {
        return key -> world.find(EtcdRestore.class, key.name())
                .map(restore -> new RestoreCache.RestoreObjects(
                        restore,
                        List.of(),
                        world.backups(),
                        new RestoreCache.Namesakes(Optional.empty(), List.of(), List.of(), List.of(), Set.of()),
                        world.all(PersistentVolumeClaim.class, Labels.RESTORE, key.name()),
                        world.all(Job.class, Labels.RESTORE, key.name()),
                        world.all(Pod.class, Labels.RESTORE, key.name())));
    }

    @Test
    void aBackup() {
        anObject(EtcdBackup.class, EveryFieldTest::backup);
    }

    @Test
    void aSchedule() {
        anObject(EtcdBackupSchedule.class, EveryFieldTest::schedule);
    }

    @Test
    void aRestore() {
        anObject(EtcdRestore.class, EveryFieldTest::restore);
    }

    private static <T extends CustomResource<?, ?>> void anObject(Class<T> kind, Supplier<Stage<T>> stages) {
        List<String> wrong = new ArrayList<>();
        for (Field field :
                Stream.of("spec", "status").flatMap(part -> fields(kind, part)).toList()) {
            for (JsonNode value : field.values()) {
                String what = field + ": " + shortened(value);
                Stage<T> stage = stages.get();
                stage.write(field.in(stage.well(), schema(kind), value));
                if (!stage.goOn()) {
                    wrong.add(what + " never comes to rest");
                }
                if (!hasEnded(stage)) {
                    judge(what, stage.failures(), said(stage), wrong);
                }
                stage.failures().clear();
                stage.write(stage.well());
                stage.goOn();
                stage.failures().forEach(e -> wrong.add(what + " still throws " + e + " at " + place(e)));
            }
        }
        assertThat(wrong.stream().distinct()).isEmpty();
    }

    private static <T extends CustomResource<?, ?>> boolean hasEnded(Stage<T> stage) {
        String phase = tree(stage.world().find(stage.kind(), "x").orElseThrow())
                .path("status")
                .path("phase")
                .asText();
        return phase.equals("Completed") || phase.equals("Failed");
    }

    private static <T extends CustomResource<?, ?>> List<String> said(Stage<T> stage) {
        JsonNode conditions = tree(stage.world().find(stage.kind(), "x").orElseThrow())
                .path("status")
                .path("conditions");
        List<String> said = new ArrayList<>();
        conditions.forEach(condition -> said.add(condition.path("reason").asText() + ": "
                + condition.path("message").asText()));
        return said;
    }

    private static List<String> conditions(EtcdCluster cluster) {
        return cluster.getStatus() == null
                ? List.of()
                : cluster.getStatus().conditions().stream()
                        .map(EveryFieldTest::text)
                        .toList();
    }

    private static String text(Condition condition) {
        return "%s=%s %s: %s"
                .formatted(condition.getType(), condition.getStatus(), condition.getReason(), condition.getMessage());
    }

    private static boolean isWell(EtcdCluster cluster) {
        return cluster.getStatus() != null
                && cluster.getStatus().conditions().stream()
                                .filter(condition -> Set.of("Available=True", "Degraded=False", "Progressing=False")
                                        .contains(condition.getType() + "=" + condition.getStatus()))
                                .count()
                        == 3;
    }

    private static String shortened(JsonNode value) {
        String text = value.toString();
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }

    private static String place(Throwable e) {
        return Stream.of(e.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("etcdoperator"))
                .limit(3)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(" < "));
    }
}
