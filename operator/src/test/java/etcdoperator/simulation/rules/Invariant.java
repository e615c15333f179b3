package etcdoperator.simulation.rules;

/** What must hold in every history, whatever befalls it. */
public enum Invariant {
    /** Whoever reads sees every write that was ever acknowledged. */
    NO_WRITE_IS_LOST,
    /** Once the operator has said that a member has joined, nothing starts as that member on an empty volume. */
    NOTHING_EMPTY_VOTES,
    /** No cluster is founded beside volumes that hold another one's data. */
    ONE_CLUSTER,
    /** No two etcd processes on one volume, unless Kubernetes alone brought it about. */
    ONE_PROCESS_PER_VOLUME,
    /** Claims and peers are made, and members changed, only under an operation that status has recorded before. */
    RECORDED_BEFORE_DONE,
    /** Only retired claims are deleted, and only when their members and pods are gone. */
    ONLY_RETIRED_CLAIMS_GO,
    /** A member is added or promoted only while every voter is well; removed, only if quorum can spare it. */
    CHANGES_ONLY_WHEN_WELL,
    /** A member that is well is restarted only while every other voter is, and only under a roll. */
    RESTARTS_ONE_AT_A_TIME,
    /** No peer is stopped, deleted or given another volume while its member has a vote, unless the cluster sleeps. */
    VOTERS_ARE_NOT_STOPPED,
    /** Whoever comes to a running cluster comes without a vote. */
    JOINS_AS_LEARNER,
    /** Nobody gets a vote who could start on an empty volume. */
    SEALED_BEFORE_VOTING,
    /** A leader that is well gives leadership away before it is removed. */
    LEADERS_HAND_OVER,
    /** What the operator writes on a claim is what is on its volume, and stays so. */
    CLAIMS_TELL_THE_TRUTH,
    /** A peer that has lost the right to found a cluster does not get it back. */
    SEALED_STAYS_SEALED,
    /** Status calls nobody healthy who did not say so himself. */
    HEALTH_IS_SEEN,
    /** Members that are connected and would be a quorum are one: no change of TLS keeps them from each other. */
    TLS_COSTS_NO_QUORUM,
    /** After a recovery the old etcd cluster and the new one never can both take writes. */
    ONE_CLUSTER_WRITES,
    /** Nobody recovers a cluster while a quorum of its voters has data that was never lost. */
    RECOVERS_ONLY_THE_LOST,
    /** A recovery that nobody has chosen goes on from the surviving log that goes furthest, or else the newest backup. */
    RECOVERY_TAKES_THE_FURTHEST,
    /** A recovery begins by itself only where the user allows it, and after the time that he set. */
    RECOVERY_WAITS,
    /** Claims of a quorum that is back are set aside only if it was found to be lost just before. */
    A_MAJORITY_THAT_IS_BACK_IS_HEARD,
    /** A cluster that was lost is recovered once, and what has ended stays ended. */
    RECOVERED_ONCE,
    /** What a restore has set aside, or a cluster has run on, no restore deletes. */
    SET_ASIDE_IS_KEPT,
    /** When faults end, the cluster comes to rest as well as its volumes allow, at its size and with nothing left over. */
    IT_SETTLES,
    /** A cluster at rest costs no writes. */
    REST_IS_FREE
}
