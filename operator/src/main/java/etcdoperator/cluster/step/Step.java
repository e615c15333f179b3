package etcdoperator.cluster.step;

/** What a pass does next. The reason is the sentence that log, Event and condition all say. */
public sealed interface Step
        permits LifecycleStep,
                MembershipStep,
                TlsStep,
                RecoveryStep,
                RolloutStep,
                MaintenanceStep,
                AuthStep,
                ClaimStep,
                ServiceStep,
                Outcome {
    String reason();

    /** Which operation it belongs to, and what becomes of the Progressing condition. */
    Progress progress();
}
