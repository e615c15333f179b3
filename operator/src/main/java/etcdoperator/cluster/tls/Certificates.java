package etcdoperator.cluster.tls;

import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.TlsStep.Issue;
import etcdoperator.cluster.step.TlsStep.Look;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Issuance;
import etcdoperator.cluster.view.Issuance.Turn;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Steps that make certificates, or see to it that all members have them. None of them restarts anybody. */
public final class Certificates {
    private Certificates() {}

    public static Optional<Step> issue(ClusterView view) {
        List<Issuance> due = view.tls().due();
        return due.isEmpty() ? Optional.empty() : Optional.of(new Issue(due, reason(due)));
    }

    public static Optional<Step> look(ClusterView view) {
        return view.tls().look()
                ? Optional.of(new Look("Looking whether every member shows a certificate of the new authority"))
                : Optional.empty();
    }

    private static String reason(List<Issuance> due) {
        String secrets = due.stream().map(Issuance::secret).collect(Collectors.joining(", "));
        return switch (due.getFirst()) {
            case Issuance.Authority authority -> what(authority.turn()).formatted(secrets);
            case Issuance.Leaf leaf -> "Issuing the certificates in " + secrets;
            case Issuance.Copy copy ->
                switch (copy.part()) {
                    case ALL -> "Taking over what is in Secret " + copy.source().secret();
                    case TRUST ->
                        "Trusting those whom Secret %s names, too, before a certificate of theirs is shown"
                                .formatted(copy.source().secret());
                    case LEAF ->
                        "Showing the certificate in Secret %s, because every member trusts it"
                                .formatted(copy.source().secret());
                };
            case Issuance.Order order -> "Asking cert-manager for the certificates in " + secrets;
        };
    }

    private static String what(Turn turn) {
        return switch (turn) {
            case BEGIN -> "Making a certificate authority in %s";
            case RESCUE -> "Making another certificate authority in %s, because the first one is gone";
            case YIELD ->
                "The authority in %s does not sign until every member trusts it, because they were set up with another one";
            case INTRODUCE -> "Making another certificate authority in %s, to be trusted beside the first one";
            case SUCCEED -> "The other authority in %s signs from now on, because every member trusts it";
            case RETIRE -> "The first authority in %s is not trusted any more, because nobody needs it";
        };
    }
}
