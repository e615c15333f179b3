package etcdoperator.cluster.view;

/** Something a person has to know about, in a sentence that says what is wrong and what would mend it. */
public record Problem(Kind kind, String message) {

    /** Ordered: the first is the likeliest cause of the others. */
    public enum Kind {
        MajorityLost,
        RecoveryFailed,
        ClaimsUnknown,
        ClaimsDisagree,
        DataGone,
        Refused,
        VersionRefused,
        BackupFailed,
        SettingsRefused,
        CertificatesInvalid,
        ClocksDisagree,
        AccessDenied,
        DataDiffers,
        NoSpace,
        BootstrapBroken,
        IdentityMismatch,
        VolumeMissing,
        VolumeLost,
        VolumeEmpty,
        DataCorrupt,
        CertificatesMissing,
        PasswordMissing,
        RoleMissing,
        VolumeUnavailable,
        VolumeNotMounted,
        PodRefused,
        PodUnschedulable,
        ImageUnavailable,
        ContainerRefused,
        EtcdCrashing;

        /** Whether waiting alone will not mend it. */
        public boolean needsPerson() {
            return compareTo(CertificatesMissing) < 0;
        }
    }
}
