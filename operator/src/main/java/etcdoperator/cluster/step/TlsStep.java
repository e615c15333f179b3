package etcdoperator.cluster.step;

import etcdoperator.cluster.view.Issuance;
import java.util.List;

/** Issues certificates, or finds out which ones members serve. */
public sealed interface TlsStep extends Step {
    /** Makes certificates, or brings an authority a step further; restarts nothing. */
    record Issue(List<Issuance> due, String reason) implements TlsStep, Progress.Brief {}

    /** Sees whose certificates members show; changes nothing. */
    record Look(String reason) implements TlsStep, Progress.Brief {}
}
