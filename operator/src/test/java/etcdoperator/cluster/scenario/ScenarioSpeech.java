package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.TlsSetup;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.manifest.Transports;

/** How the pods of a scenario speak, and how its members are listed. */
final class ScenarioSpeech {
    private final JsonNode yaml;
    private final String target;

    ScenarioSpeech(JsonNode yaml, String target) {
        this.yaml = yaml;
        this.target = target;
    }

    Words owner(PeerName peer) {
        return Words.of(yaml.path("peers").path(peer.toString()), "state");
    }

    /** How a pod speaks, where the folder does not say: as its template has it, or else as its peer. */
    TlsSetup of(PeerName peer, Words pod) {
        Words owner = owner(peer);
        return ScenarioTls.setup(pod.text("tls")
                .or(() -> owner.text("rendered").filter(ScenarioTls::isSetup))
                .or(() -> owner.text("tls"))
                .orElse(target));
    }

    /** How a member is listed, where the folder does not say: as its pod listens. */
    Scheme listed(PeerName peer, Words words) {
        return words.text("scheme").map(Scheme::named).orElseGet(() -> {
            Words pod = Words.of(yaml.path("pods").path(peer.toString()), "state");
            return Transports.between(of(peer, pod));
        });
    }

    /** What a claim remembers of it, where the folder does not say: how its member is listed. */
    Scheme remembered(String claim, PeerName peer, Words words) {
        return listed(
                peer,
                words.text("scheme").isPresent()
                        ? words
                        : Words.of(yaml.path("members").path(claim), "role"));
    }
}
