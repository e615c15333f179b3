package etcdoperator.cluster.effect;

import etcdoperator.api.EtcdPeer;
import etcdoperator.cluster.step.Chore;
import etcdoperator.cluster.view.Issuance;
import etcdoperator.cluster.view.Operation;
import etcdoperator.etcd.MemberList;
import etcdoperator.etcd.MembershipChange;
import etcdoperator.etcd.Order;
import etcdoperator.kube.Kube.ClaimMark;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/** One thing done to the world. A crash may come between any two; the next pass repairs what is missing. */
public sealed interface Effect {
    /** Takes the lock: nothing else of an operation happens before it. */
    record RecordOperation(Operation operation) implements Effect {}

    /** Tells people before it happens. */
    record Announce(String reason, String message) implements Effect {}

    record Create(HasMetadata object) implements Effect {}

    record Apply(HasMetadata object) implements Effect {}

    record ReplacePeer(EtcdPeer peer) implements Effect {}

    /** Goes on only if a quorum has this list; what was seen may be old. */
    record ConfirmMembers(MemberList planned) implements Effect {}

    /** Goes on only if the API server itself has claims and lost volumes as the caches have them. */
    record RequireLossAsSeen() implements Effect {}

    record ChangeMembers(MemberList planned, MembershipChange change) implements Effect {}

    /** Writes on a claim which member was added to run on it; etcd told its id a moment ago. */
    record ExpectMember(String claimName) implements Effect {}

    /** Says something to etcd that changes no member. */
    record TellEtcd(Order order) implements Effect {}

    /** Makes a certificate and puts it into its Secret. */
    record Issue(Issuance issuance) implements Effect {}

    /** Makes a password for a user and puts it into a Secret. */
    record MakePassword(String secret, String user) implements Effect {}

    /** Takes the password out of a Secret. */
    record ForgetPassword(String secret, String user) implements Effect {}

    /** Begins what takes longer than a pass; its end starts the next one. */
    record Begin(Chore chore) implements Effect {}

    /** Deletes this very object, as it was read. */
    record Delete(HasMetadata object) implements Effect {}

    record Annotate(HasMetadata object, Map<String, String> annotations) implements Effect {}

    /** Changes labels and annotations of a claim in one write, as it was read. */
    record Mark(PersistentVolumeClaim claim, ClaimMark mark) implements Effect {}

    record Label(HasMetadata object, Map<String, String> labels) implements Effect {}

    record Resize(PersistentVolumeClaim claim, Quantity storage) implements Effect {}
}
