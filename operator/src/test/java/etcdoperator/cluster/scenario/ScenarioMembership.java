package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.Membership.Health;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What etcd itself says of its members. */
final class ScenarioMembership {
    private final JsonNode yaml;
    private final ScenarioEntries entries;
    private final List<ClaimView> claims;
    private final ScenarioSpeech speech;

    ScenarioMembership(ScenarioEntries entries, List<ClaimView> claims, ScenarioSpeech speech) {
        this.yaml = entries.yaml();
        this.entries = entries;
        this.claims = claims;
        this.speech = speech;
    }

    Membership read() {
        boolean settled = entries.like().equals("settled") && !yaml.has("unreachable");
        if (!settled && !yaml.has("members")) {
            return new Unreachable(yaml.path("unreachable").asText("no pod has an address yet"), depths());
        }
        List<MemberView> members =
                entries.of("members", ordinal -> settled ? ordinal == 0 ? "leader" : "voter" : null).entrySet().stream()
                        .map(member -> member(member.getKey(), Words.of(member.getValue(), "role")))
                        .toList();
        ClusterId id = ClusterId.parse(yaml.path("answersFor").asText("c1"));
        return new Reachable(
                id,
                members,
                yaml.path("quorum").asBoolean(true),
                Optional.ofNullable(yaml.path("downgradeTo").asText(null)).map(line -> EtcdVersion.parse(line + ".0")),
                yaml.path("alarms").properties().stream()
                        .map(alarm -> new Membership.AlarmView(
                                ScenarioView.memberId(PeerName.parse(alarm.getKey())),
                                Membership.AlarmView.Kind.valueOf(
                                        alarm.getValue().asText())))
                        .toList());
    }

    /** What the metrics of those tell who answer nothing. */
    private Map<PeerName, Long> depths() {
        Map<PeerName, Long> depths = new TreeMap<>();
        yaml.path("depths")
                .properties()
                .forEach(depth -> depths.put(
                        PeerName.parse(depth.getKey()), depth.getValue().asLong()));
        return depths;
    }

    /** A member that is {@code listed} has never started: etcd knows founders by name before they do. */
    private MemberView member(String name, Words words) {
        String role = words.text("role").orElse("voter");
        Optional<String> unhealthy =
                role.equals("listed") ? Optional.of("has no running pod") : words.text("unhealthy");
        Optional<String> version = words.text("version")
                .or(() -> unhealthy.isPresent()
                        ? Optional.empty()
                        : Optional.of(yaml.path("peers")
                                .path(name)
                                .path("version")
                                .asText(entries.wish().version().toString())));
        MemberId id =
                words.text("id").map(MemberId::parse).orElseGet(() -> ScenarioView.memberId(PeerName.parse(name)));
        Optional<PeerName> slot = words.is("stranger")
                ? Optional.empty()
                : words.text("peer").or(() -> Optional.of(name)).flatMap(PeerName::tryParse);
        return new MemberView(
                id,
                name.startsWith("unnamed") || words.is("unnamed") ? "" : name,
                slot.map(peer -> words.text("claim").orElseGet(() -> claimOf(peer, id))),
                slot,
                slot.map(peer -> speech.listed(peer, words)).orElse(Scheme.HTTP),
                role.equals("listed") ? Role.VOTER : Role.valueOf(role.toUpperCase(Locale.ROOT)),
                words.is("unasked")
                        ? new Health.Unknown()
                        : unhealthy.<Health>map(Health.Unhealthy::new).orElseGet(Health.Healthy::new),
                version.map(EtcdVersion::parse),
                version.isPresent() ? ScenarioStore.of(words) : Membership.Store.UNKNOWN);
    }

    /** The claim that a member is called by, where the folder does not say: the one it is held to run on. */
    private String claimOf(PeerName slot, MemberId id) {
        List<ClaimView> own =
                claims.stream().filter(claim -> claim.peer().equals(slot)).toList();
        return own.stream()
                .filter(claim ->
                        claim.held().filter(held -> held.memberId().equals(id)).isPresent())
                .findFirst()
                .or(() -> own.stream()
                        .filter(claim -> claim.contents() instanceof Contents.Joining && !claim.retired())
                        .findFirst())
                .map(ClaimView::name)
                .orElse(slot.toString());
    }
}
