package etcdoperator.cluster.tls;

import etcdoperator.cluster.view.Issuance;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.cluster.view.TlsView;
import etcdoperator.domain.Clocks;
import java.util.List;

/** Certificates with wrong dates end all connections between members, so none is made while it is unknown what time it is. */
public final class Dating {
    private Dating() {}

    /** Without what a wrong clock would spoil. What others have dated is taken over as ever. */
    public static TlsView checked(TlsView view, Clocks clocks) {
        List<Issuance> undated = view.due().stream()
                .filter(issuance -> switch (issuance) {
                    case Issuance.Authority authority -> false;
                    case Issuance.Leaf leaf -> false;
                    case Issuance.Copy copy -> true;
                    case Issuance.Order order -> true;
                })
                .toList();
        if (clocks.difference().isEmpty() || undated.equals(view.due())) {
            return view;
        }
        return view.withDue(undated)
                .withProblem(new Problem(
                        Kind.ClocksDisagree,
                        "%s; certificates that are due are not made until they agree: correct the clock of the node that the operator runs on, or of the API server's"
                                .formatted(clocks.doubt().orElseThrow())));
    }
}
