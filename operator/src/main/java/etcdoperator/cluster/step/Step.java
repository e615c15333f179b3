package etcdoperator.cluster.step;

/** What a pass does next. The reason is the sentence that log, Event and condition all say. */
public sealed interface Step extends Progress.Shown
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
}
