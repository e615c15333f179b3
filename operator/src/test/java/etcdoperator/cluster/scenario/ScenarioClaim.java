package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.ClusterView.Wish;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Promotion;
import java.time.Duration;
import java.util.Optional;

/** A claim, as a scenario tells it. */
final class ScenarioClaim {
    private final JsonNode yaml;
    private final Wish wish;
    private final ScenarioSpeech speech;

    ScenarioClaim(JsonNode yaml, Wish wish, ScenarioSpeech speech) {
        this.yaml = yaml;
        this.wish = wish;
        this.speech = speech;
    }

    ClaimView read(String name, Words words) {
        PeerName peer = words.text("peer").map(PeerName::parse).orElseGet(() -> PeerName.parse(name));
        String contents = words.text("contents").orElse("held");
        return new ClaimView(
                name,
                peer,
                switch (contents) {
                    case "held" ->
                        new Contents.Held(
                                ClusterId.parse(words.text("cluster").orElse("c1")),
                                words.text("member").map(MemberId::parse).orElseGet(() -> ScenarioView.memberId(peer)));
                    case "bootstrapping" ->
                        new Contents.Bootstrapping(
                                words.text("token").orElse("u1"),
                                words.text("size").map(Integer::parseInt).orElse(wish.replicas()));
                    case "joining" -> new Contents.Joining();
                    case "unknown" -> new Contents.Unknown();
                    default ->
                        throw ScenarioView.strange("claim", contents, "held, bootstrapping, joining, unknown, gone");
                },
                ScenarioView.NOW.minus(Duration.parse(words.text("age").orElse("P30D"))),
                ran(name, words, contents),
                speech.remembered(name, peer, words),
                words.is("restored"),
                Promotion.named(words.text("promotion").orElse(null)),
                words.text("expected").map(MemberId::parse),
                words.text("volume"),
                words.text("readable").map(ago -> ScenarioView.NOW.minus(Duration.parse(ago))),
                words.text("retired").map(id -> id.equals("true") ? ScenarioView.memberId(peer) : MemberId.parse(id)),
                words.is("deleting"),
                words.is("small"),
                words.is("prunable"),
                words.problem(),
                words.text("awaited").map(ago -> ScenarioView.NOW.minus(Duration.parse(ago))));
    }

    /** What ran on a claim, where the folder does not say, is what its member runs, or else its peer. */
    private Optional<EtcdVersion> ran(String name, Words words, String contents) {
        String own = yaml.path("peers")
                .path(name)
                .path("version")
                .asText(wish.version().toString());
        return words.text("ran")
                .or(() -> contents.equals("held")
                        ? Optional.of(
                                yaml.path("members").path(name).path("version").asText(own))
                        : Optional.empty())
                .filter(version -> !version.equals("none"))
                .map(EtcdVersion::parse);
    }
}
