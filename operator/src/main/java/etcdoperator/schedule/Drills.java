package etcdoperator.schedule;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.kube.BackupCache.ScheduleObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.AgentSetup;
import etcdoperator.manifest.DrillJobs;
import etcdoperator.schedule.DrillPlan.Step;
import io.fabric8.kubernetes.api.model.batch.v1.Job;

/** Carries out what is planned of drills. */
final class Drills {
    private final Kube kube;
    private final AgentSetup setup;

    Drills(Kube kube, AgentSetup setup) {
        this.kube = kube;
        this.setup = setup;
    }

    /** @return what became of the plan: what is not allowed is said, and holds up no backup */
    DrillPlan carryOut(DrillPlan plan, ScheduleObjects objects) throws StaleViewException {
        try {
            switch (plan.step()) {
                case Step.Start(var job, var backup, var why) -> start(job, backup, objects);
                case Step.Dismiss(var job) -> dismiss(job, objects);
                case Step.Rest _, Step.Held _, Step.Follow _, Step.Pass _, Step.Fail _ -> {}
            }
            return plan;
        } catch (RefusedException e) {
            return plan.instead(new Step.Held("Refused", e.why()));
        }
    }

    /** Made before it is written down: its name keeps it from being made twice. */
    private void start(String job, String name, ScheduleObjects objects) throws StaleViewException, RefusedException {
        EtcdBackup backup = objects.backups().stream()
                .filter(made -> made.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new StaleViewException("EtcdBackup " + name + " is gone"));
        kube.create(new DrillJobs(objects.schedule(), setup).of(job, backup, objects.clusters()));
    }

    private void dismiss(String name, ScheduleObjects objects) throws StaleViewException, RefusedException {
        for (Job job : objects.drills()) {
            if (job.getMetadata().getName().equals(name)) {
                kube.delete(job);
            }
        }
    }
}
