package etcdoperator.restore;

import etcdoperator.api.EtcdRestoreStatus.ChosenBackup;
import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.Scheme;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a pass does about a restore. The reason is the sentence that log, Event and condition all say. */
public sealed interface Step {
    String reason();

    /** Writes down which backup it is, so that it is the same one to the end. */
    record Choose(ChosenBackup chosen, String reason) implements Step {}

    /** Sends the agent to look at the backup. */
    record Inspect(String reason) implements Step {}

    /** Writes down what was found, and what follows from it. */
    record Settle(
            ChosenBackup chosen,
            EtcdVersion version,
            String claimName,
            Optional<Long> revision,
            Optional<Instant> time,
            String reason)
            implements Step {}

    record MakeClaim(String claimName, EtcdVersion version, Scheme scheme, String reason) implements Step {}

    /** Sends the agent to look how far the log on a survivor's claim goes. */
    record Survey(String claim, String reason) implements Step {}

    /** Sends the agent to look which members vote by the log on a learner's claim. */
    record SurveyVoters(String claim, String reason) implements Step {}

    /** Says that members vote that were not known to: the cluster is judged by that. @param found their ids */
    record NoteVoters(List<String> found, String reason) implements Step {}

    /** Sends the agent to look at a claim on which etcd has found nothing, as when a disk is mounted late. */
    record LookAgain(String claim, String reason) implements Step {}

    /** Forgets what came of looking at a claim: it is too long ago. */
    record Forget(String claim, String reason) implements Step {}

    /** Takes back that there is nothing on these claims: the cluster is judged by that. */
    record Correct(List<String> found, String reason) implements Step {}

    /** Sends the agent to put the backup on the claim. @param survivor whose data is put there instead of a backup */
    record Fill(Optional<String> survivor, String reason) implements Step {}

    /** Makes the claim the cluster's, with all that is known of who is on it. */
    record HandOver(String reason) implements Step {}

    record MakeCluster(String reason) implements Step {}

    /** Only writes down that the next part begins. */
    record Enter(RestoreStage stage, String reason) implements Step {}

    /** From now on the object waits with its end until the cluster is in order again. */
    record Hold(String reason) implements Step {}

    record LetGo(String reason) implements Step {}

    /** From now on the claim does not go with the object: it is about to be all the data that a cluster has. */
    record Disown(String reason) implements Step {}

    /** Tells the cluster to stop its members and leave its claims alone. */
    record LayDown(String reason) implements Step {}

    /** Writes down the claims that the cluster had, before the first of them is touched. */
    record ListOld(List<String> claims, String reason) implements Step {}

    /** Takes the cluster's name off its claims; nobody uses them any more, and nobody deletes them. */
    record SetAside(List<String> claims, String reason) implements Step {}

    /** Gives the cluster its claims back, because there is nothing else that it could start on. */
    record PutBack(List<String> claims, String reason) implements Step {}

    /** Tells the cluster whose data it has: with any other it will not start. */
    record Remember(ClusterId clusterId, String reason) implements Step {}

    /** Lets the cluster start. @param swapped whether on other claims than before */
    record Raise(boolean swapped, String reason) implements Step {}

    record Complete(String reason) implements Step {}

    record Fail(String reason) implements Step {}

    /** Removes the Jobs that filled the claim, or read others: as long as their pods are there, Kubernetes lets the claim be deleted by nobody. */
    record Dismiss(String reason) implements Step {}

    /** Deletes the claim of a restore that has failed: what is on it was never a cluster's. */
    record Discard(String claimName, String reason) implements Step {}

    /** Something is on its way. */
    record Wait(String reason) implements Step {}

    /** Nothing: a finished restore is never done again. */
    record Rest() implements Step {
        @Override
        public String reason() {
            return "";
        }
    }
}
