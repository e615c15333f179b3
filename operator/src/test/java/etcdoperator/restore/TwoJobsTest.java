package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.RestoreJobs;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the pod that fetches a backup may have an identity, another Job restores it. */
class TwoJobsTest {
    private final RestoreRun run = new RestoreRun();
    private final World world = run.world();
    private final Others others = run.others();

    /** The second one has no identity: it runs the image of etcd, which the user chooses. */
    @Test
    void oneJobFetchesAndAnotherOneRestores() throws StaleViewException {
        others.wantRestore(false);
        run.toTheEnd();
        assertThat(world.writes().stream().filter(done -> done.startsWith("create Job")))
                .containsExactly("create Job back-inspect", "create Job back-fetch", "create Job back-restore");
        assertThat(world.all(Job.class))
                .as("their pods would hold the claim")
                .noneMatch(job -> job.getMetadata().getName().equals("back-fetch"));
    }

    @Test
    void withTheCredentialsOfASecretOneJobDoesAll() throws StaleViewException {
        others.wantRestore(false);
        others.giveCredentials();
        run.toTheEnd();
        assertThat(run.status().phase()).isEqualTo(RestorePhase.COMPLETED);
        assertThat(world.writes().stream().filter(done -> done.startsWith("create Job")))
                .containsExactly("create Job back-inspect", "create Job back-restore");
    }

    /** It fetches and restores in one pod. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aJobOfAFormerOperatorStillFinishes(boolean inPlace) throws StaleViewException {
        others.wantRestore(inPlace);
        if (inPlace) {
            others.haveCluster();
        }
        while (world.all(PersistentVolumeClaim.class).stream()
                .noneMatch(claim -> claim.getMetadata().getAnnotations().containsKey(Labels.RESTORED_BY))) {
            run.pass();
            others.act();
        }
        world.put(new JobBuilder()
                .withNewMetadata()
                .withName(RestoreJobs.filling("back"))
                .withUid("former")
                .withLabels(Map.of(Labels.RESTORE, "back"))
                .withCreationTimestamp("2026-01-01T12:00:00Z")
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withNewSpec()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build());
        run.toTheEnd();
        assertThat(run.status().phase()).isEqualTo(RestorePhase.COMPLETED);
        assertThat(world.writes()).doesNotContain("create Job back-fetch", "create Job back-restore");
    }

    /** Two agents at once would write into one another's files. */
    @Test
    void aPodThatIsLeftOfTheFetchIsWaitedFor() throws StaleViewException {
        others.wantRestore(false);
        while (world.get(Job.class, RestoreJobs.fetching("back"))
                .filter(job -> job.getStatus() != null)
                .isEmpty()) {
            run.pass();
            others.act();
        }
        world.put(new PodBuilder()
                .withNewMetadata()
                .withName("back-fetch-0")
                .withLabels(Map.of(Labels.RESTORE, "back"))
                .addNewOwnerReference()
                .withUid("of a Job that was deleted")
                .endOwnerReference()
                .endMetadata()
                .withNewSpec()
                .addNewVolume()
                .withNewPersistentVolumeClaim()
                .withClaimName("c-0")
                .endPersistentVolumeClaim()
                .endVolume()
                .endSpec()
                .build());
        run.toTheEnd();
        assertThat(run.status().conditions().getFirst().getMessage()).contains("back-fetch-0", "to end");
        world.remove(world.get(Pod.class, "back-fetch-0").orElseThrow());
        run.toTheEnd();
        assertThat(run.status().phase()).isEqualTo(RestorePhase.COMPLETED);
    }
}
