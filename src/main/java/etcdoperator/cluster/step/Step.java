package etcdoperator.cluster.step;

import etcdoperator.cluster.view.Issuance;
import etcdoperator.cluster.view.Membership.AlarmView;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.etcd.AccountOrder;
import etcdoperator.manifest.Recoveries.Blanks;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What a pass does next. The reason is the sentence that log, Event and condition all say. */
public sealed interface Step {
    String reason();

    /** Starts members together as founders of a new cluster; the only step that makes voters out of nothing. */
    record Bootstrap(String token, List<PeerName> peers, String reason) implements Step {}

    /** Starts members on volumes they have run on before; an empty volume refuses to start. */
    record Resume(List<PeerOnClaim> peers, String reason) implements Step {}

    /** Writes down who runs on which volume, and takes away the right to found a cluster. */
    record Seal(ClusterId clusterId, List<Joined> joined, String reason) implements Step {}

    /** Writes down which version runs on which claim. */
    record Inscribe(SortedMap<String, EtcdVersion> versions, String reason) implements Step {}

    /** Takes up peers that a deletion with orphans left running; nothing restarts. */
    record Adopt(List<PeerName> peers, String reason) implements Step {}

    /** Makes another voter lead, so that nobody waits for an election when the leader leaves. */
    record MoveLeader(Task task, String from, MemberId to, String toName, String reason) implements Step {}

    /**
     * Takes a peer's member out of etcd for good; its claim is retired before.
     *
     * @param member empty where etcd does not list it any more
     * @param retiredFrom what the claim is marked with
     * @param peerStays whether the peer waits for another member, or goes too
     */
    record RemoveMember(
            Task task,
            PeerName peer,
            Optional<MemberId> member,
            String claimName,
            MemberId retiredFrom,
            boolean peerStays,
            String reason)
            implements Step {}

    /**
     * Adds a member for a peer and starts it on a claim of its own, empty.
     *
     * @param members all of them by their claims, the new one too
     * @param version what it runs
     * @param added whether etcd lists it already, so that only its peer has to be brought up to that
     */
    record Admit(
            Task task,
            PeerName peer,
            String claimName,
            SortedMap<String, PeerName> members,
            EtcdVersion version,
            boolean added,
            String reason)
            implements Step {}

    /** Gives a learner its vote. */
    record Promote(Task task, PeerName peer, MemberId member, String reason) implements Step {}

    /** Tells the others how they reach a member from now on; its pod follows, or did before. */
    record Relist(Task task, PeerName peer, MemberId member, Scheme scheme, String claimName, String reason)
            implements Step {}

    /** Makes certificates, or brings an authority a step further; restarts nothing. */
    record Issue(List<Issuance> due, String reason) implements Step {}

    /** Removes a member that is none of the cluster's peers. */
    record Expel(Task task, MemberId member, String reason) implements Step {}

    /** Stops every member; peers and claims stay. */
    record Sleep(List<PeerName> peers, String reason) implements Step {}

    /** Starts members that were stopped, on the volumes they have. */
    record Wake(List<PeerName> peers, String reason) implements Step {}

    /**
     * Takes every peer away and leaves every claim, so that nobody is on them while a restore puts others in place.
     *
     * @param stopping whose pods end first: what is left of a peer that was deleted, Kubernetes ends in its own time
     * @param leaving who has no pod any more, or must not be stopped and started again
     */
    record LieDown(Task task, List<PeerName> stopping, List<PeerName> leaving, List<String> hurried, String reason)
            implements Step {}

    /** Writes down that most voters are lost for good; from then on it must last. */
    record NoteLoss(Task task, String reason) implements Step {}

    /** Has what is left backed up before anything is touched. */
    record SaveRemains(Task task, String backup, String reason) implements Step {}

    /**
     * Has an EtcdRestore make a new etcd cluster of what is left, or of a backup.
     *
     * @param blanks claims on which nothing was found, as long as there are pods to look
     */
    record Recover(Task task, String restore, ClusterId lost, RecoverySource source, Blanks blanks, String reason)
            implements Step {}

    /** Takes a person's choice back that was made for a loss which is over: the next loss is another one. */
    record DropChoice(String reason) implements Step {}

    /** Deletes the EtcdRestore that was to bring the cluster back: the majority is back by itself. */
    record CallOff(String restore, String reason) implements Step {}

    /** Says on the EtcdRestore that is to bring the cluster back that the loss lasts, so that old claims are put aside. */
    record ConfirmLoss(String restore, String reason) implements Step {}

    /** Writes the cluster's settings into a peer's spec; its pod runs on as it is. */
    record Renew(Task task, PeerName peer, String reason) implements Step {}

    /** Ends a pod, so that the next one comes up with the settings its peer has. */
    record Restart(Task task, PeerName peer, String pod, String reason) implements Step {}

    /**
     * Has members write a raft snapshot, which takes some seconds.
     *
     * @param withoutV2 whether the next minor does not start while there are keys in the way of etcd 2
     */
    record WriteSnapshots(Task task, List<MemberId> members, boolean withoutV2, String reason) implements Step {}

    /** Has a backup taken, which others do; what comes next waits for it. */
    record BackUp(Task task, String backup, EtcdVersion before, String reason) implements Step {}

    /** Deletes backups that the operator took on its own account, with what they have stored. */
    record DropBackups(List<String> backups, String reason) implements Step {}

    /** Tells etcd that its members are about to go back by a minor. */
    record EnableDowngrade(Task task, EtcdVersion target, String reason) implements Step {}

    record CancelDowngrade(Task task, String reason) implements Step {}

    /** Takes a pod out of the client service, because its member will not answer for a while. */
    record TakeOut(Task task, String pod, String reason) implements Step {}

    record PutBack(String pod, String reason) implements Step {}

    /** Has etcd forget what was overwritten until now. */
    record Compact(Task task, String reason) implements Step {}

    record Defragment(Task task, MemberId member, String reason) implements Step {}

    /** Ends an alarm whose cause is gone. */
    record Disarm(Task task, AlarmView alarm, String reason) implements Step {}

    /** Finds out whether all members have the same data; changes nothing. */
    record Compare(String reason) implements Step {}

    /** Sees whose certificates members show; changes nothing. */
    record Look(String reason) implements Step {}

    /**
     * Makes Secrets with passwords of the operator's choice.
     *
     * @param due the users they are for, by Secret
     */
    record MakePasswords(SortedMap<String, String> due, String reason) implements Step {}

    /** Reads etcd's users and roles, and tries their passwords; changes nothing. */
    record ReadAccounts(String reason) implements Step {}

    /** Changes etcd's users and roles, enables authentication or disables it. */
    record ChangeAccounts(Task task, List<AccountOrder> orders, String reason) implements Step {}

    /** Takes the operator's own password out of its Secret: who enables authentication from now on is somebody else. */
    record ForgetPassword(String reason) implements Step {}

    /** Asks for larger volumes. */
    record Expand(List<String> claims, String reason) implements Step {}

    /** Marks a claim that nobody has come to use, so that it can go. */
    record Retire(String claimName, String reason) implements Step {}

    /** A claim that was retired is not: its member stays after all. */
    record Keep(String claimName, String reason) implements Step {}

    /** Deletes a retired claim whose member and pod are gone. */
    record Discard(String claimName, String reason) implements Step {}

    /** Brings services, budgets, policies and peers' specs back to what they should be. */
    record Tend(List<String> names, List<String> surplus, String reason) implements Step {
        public static Tend to(List<String> names, List<String> surplus) {
            String restoring = "Restoring " + String.join(", ", names);
            String removing = String.join(", ", surplus);
            String reason = surplus.isEmpty()
                    ? restoring
                    : names.isEmpty() ? "Removing " + removing : restoring + "; removing " + removing;
            return new Tend(names, surplus, reason);
        }
    }

    /** Ends the operation that status records: its goal is reached. */
    record Finish(Operation operation, String reason) implements Step {}

    /** The user wants nothing done. */
    record Rest(String reason) implements Step {}

    /** Something is on its way, and its coming starts the next pass. */
    record Wait(String reason) implements Step {}

    /** Nothing safe is left to do until a person has acted. */
    record Stuck(Problem problem) implements Step {
        @Override
        public String reason() {
            return problem.message();
        }
    }

    record Steady(String reason) implements Step {}

    record PeerOnClaim(PeerName peer, String claimName, EtcdVersion version) {}

    record Joined(PeerName peer, String claimName, MemberId memberId) {}
}
