package etcdoperator.backup;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.AnyAgents;
import etcdoperator.simulation.kube.WrittenDown;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;

/** A backup to a bucket, before an operator that is run by hand. */
final class BackupStage {
    private static final ObjectKey KEY = new ObjectKey(BackupWorld.NAMESPACE, "b");
    static final String STORED = """
            {"state":"Completed","message":"stored","objectURL":"s3://etcd-backups/ns/c/1.db","path":"ns/c/1.db",
             "revision":7,"sizeBytes":100,"storedBytes":60,"transferredBytes":60,"sha256":"abc","etcdVersion":"3.6.16",
             "contents":{"hashKV":4294967295,"compactRevision":2,"keys":5}}""";

    final BackupWorld world = new BackupWorld();

    void run() throws StaleViewException {
        new BackupPass(world, world.kube(), world, AnyAgents.of("operator:1"), world.clock()).run(KEY);
    }

    void runUntilQuiet() throws Exception {
        for (int i = 0; i < 6; i++) {
            try {
                run();
            } catch (WrittenDown.Death e) {
                // Another operator starts with nothing but what is stored.
                i = 0;
            }
        }
    }

    void completed(String more) throws Exception {
        world.has(backup(more));
        world.has(secret("cos-credentials"));
        runUntilQuiet();
        world.jobEnds("b-backup", "Complete", STORED);
        runUntilQuiet();
    }

    BackupPhase phase() {
        return world.backup("b").getStatus().phase();
    }

    static EtcdBackup backup(String more) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: b}
                spec:
                  source: {endpoints: ["https://etcd.example.com:2379"]}
                  destination:
                    bucket:
                      bucketURL: s3://etcd-backups
                      credentials: {aws: {secretRef: {name: cos-credentials}}}
                """ + more.indent(2), EtcdBackup.class);
    }

    static Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }
}
