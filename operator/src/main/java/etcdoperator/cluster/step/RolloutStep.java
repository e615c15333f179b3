package etcdoperator.cluster.step;

import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import java.util.List;

/** Brings members to other settings or another version. Each is a part of a recorded operation. */
public sealed interface RolloutStep extends Step, Progress.OfTask {
    /** Writes the cluster's settings into a peer's spec; its pod runs on as it is. */
    record Renew(Task task, PeerName peer, String reason) implements RolloutStep {}

    /** Ends a pod, so that the next one comes up with the settings its peer has. */
    record Restart(Task task, PeerName peer, String pod, String reason) implements RolloutStep {}

    /**
     * Has members write a raft snapshot, which takes some seconds.
     *
     * @param withoutV2 whether the next minor does not start while there are keys in the way of etcd 2
     */
    record WriteSnapshots(Task task, List<MemberId> members, boolean withoutV2, String reason) implements RolloutStep {}

    /** Has a backup taken, which others do; what comes next waits for it. */
    record BackUp(Task task, String backup, EtcdVersion before, String reason) implements RolloutStep {}

    /** Tells etcd that its members are about to go back by a minor. */
    record EnableDowngrade(Task task, EtcdVersion target, String reason) implements RolloutStep {}

    record CancelDowngrade(Task task, String reason) implements RolloutStep {}
}
