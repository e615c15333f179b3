package io.improbable.etcd.cluster;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.JsonNode;
import io.improbable.etcd.api.OperationType;
import io.improbable.etcd.cluster.ClaimView.Contents;
import io.improbable.etcd.cluster.ClusterView.Memory;
import io.improbable.etcd.cluster.ClusterView.Wish;
import io.improbable.etcd.cluster.Membership.Health;
import io.improbable.etcd.cluster.Membership.MemberView;
import io.improbable.etcd.cluster.Membership.Reachable;
import io.improbable.etcd.cluster.Membership.Role;
import io.improbable.etcd.cluster.Membership.Unreachable;
import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.ClusterKey;
import io.improbable.etcd.domain.EtcdVersion;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.PeerName;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads {@code view.yaml}. Whoever is not described otherwise is as one would expect: cluster c in namespace ns with
 * uid u1, etcd cluster c1, and c-0 is member a0.
 *
 * @param missing which of the drifted objects are not there at all
 * @param before what status said until now
 */
record ScenarioView(ClusterView view, Set<String> missing, ScenarioStatus before) {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Set<String> KEYS = Set.of(
            "why",
            "like",
            "cluster",
            "clusterId",
            "operation",
            "claims",
            "peers",
            "pods",
            "members",
            "quorum",
            "answersFor",
            "unreachable",
            "nodesDown",
            "drift",
            "before");

    static ScenarioView read(JsonNode yaml) {
        Set<String> strange = new TreeSet<>();
        yaml.fieldNames().forEachRemaining(strange::add);
        strange.removeAll(KEYS);
        if (!strange.isEmpty()) {
            throw new IllegalArgumentException(strange + " means nothing here; known are " + new TreeSet<>(KEYS));
        }
        return new Reader(yaml).read();
    }

    /** What the folder says, over what {@code like:} says. */
    private static final class Reader {
        private final JsonNode yaml;
        private final String like;
        private final Wish wish;

        Reader(JsonNode yaml) {
            this.yaml = yaml;
            this.like = yaml.path("like").asText("nothing");
            JsonNode cluster = yaml.path("cluster");
            this.wish = new Wish(
                    new ClusterKey("ns", "c"),
                    cluster.path("uid").asText("u1"),
                    cluster.path("replicas").asInt(3),
                    EtcdVersion.parse(cluster.path("version").asText("3.6.16")),
                    Duration.parse(cluster.path("memberTimeout").asText("PT5M")));
        }

        ScenarioView read() {
            List<String> drift = texts(yaml.path("drift"));
            var view = new ClusterView(
                    wish,
                    new Memory(clusterId(), operation()),
                    claims(),
                    entries("peers", usual("sealed", "founder")).entrySet().stream()
                            .map(peer -> peer(peer.getKey(), Words.of(peer.getValue(), "state")))
                            .sorted(Comparator.comparing(PeerView::name))
                            .toList(),
                    entries("pods", usual("sealed", "founder")).entrySet().stream()
                            .map(pod -> pod(pod.getKey(), Words.of(pod.getValue(), "state")))
                            .toList(),
                    membership(),
                    Set.copyOf(texts(yaml.path("nodesDown"))),
                    drift.stream().map(name -> name.replace(" missing", "")).toList(),
                    NOW);
            Set<String> missing = new TreeSet<>();
            drift.stream()
                    .filter(name -> name.endsWith(" missing"))
                    .forEach(name -> missing.add(name.replace(" missing", "")));
            return new ScenarioView(view, missing, ScenarioStatus.read(yaml.path("before"), view));
        }

        private Optional<ClusterId> clusterId() {
            String id = yaml.path("clusterId").asText(like.equals("settled") ? "c1" : "none");
            return id.equals("none") ? Optional.empty() : Optional.of(ClusterId.parse(id));
        }

        private Optional<Operation> operation() {
            Words words = Words.of(yaml.path("operation"), "type");
            String type = words.text("type").orElse(like.equals("founding") ? "Bootstrap" : "none");
            return type.equals("none")
                    ? Optional.empty()
                    : Optional.of(new Operation(
                            operationType(type),
                            words.text("target").orElse(wish.key().name()),
                            NOW.minus(Duration.parse(words.text("ago").orElse("PT10S"))),
                            words.text("reason").orElse("Because")));
        }

        private static OperationType operationType(String word) {
            return Stream.of(OperationType.values())
                    .filter(type -> Conditions.word(type).equals(word))
                    .findFirst()
                    .orElseThrow(() -> strange("operation", word, "those of OperationType"));
        }

        private ClaimView claim(String name, Words words) {
            PeerName peer = words.text("peer").map(PeerName::parse).orElseGet(() -> PeerName.parse(name));
            String contents = words.text("contents").orElse("held");
            return new ClaimView(
                    name,
                    peer,
                    switch (contents) {
                        case "held" ->
                            new Contents.Held(
                                    ClusterId.parse(words.text("cluster").orElse("c1")),
                                    words.text("member").map(MemberId::parse).orElseGet(() -> memberId(peer)));
                        case "bootstrapping" ->
                            new Contents.Bootstrapping(
                                    words.text("token").orElse("u1"),
                                    words.text("size").map(Integer::parseInt).orElse(wish.replicas()));
                        case "joining" -> new Contents.Joining();
                        case "unknown" -> new Contents.Unknown();
                        default -> throw strange("claim", contents, "held, bootstrapping, joining, unknown, gone");
                    },
                    NOW.minus(Duration.parse(words.text("age").orElse("P30D"))),
                    words.text("retired").map(id -> id.equals("true") ? memberId(peer) : MemberId.parse(id)),
                    words.is("deleting"),
                    words.problem());
        }

        private PeerView peer(String name, Words words) {
            String state = words.text("state").orElse("sealed");
            return new PeerView(
                    PeerName.parse(name),
                    switch (words.text("owner").orElse("this")) {
                        case "this" -> PeerView.Owner.THIS_CLUSTER;
                        case "earlier" -> PeerView.Owner.EARLIER_CLUSTER;
                        case "nobody" -> PeerView.Owner.NOBODY;
                        default -> throw strange("owner", words.text("owner").orElse(""), "this, earlier, nobody");
                    },
                    words.is("deleting"),
                    words.text("claim").orElse(name),
                    start(state),
                    start(words.text("template").orElse(state)),
                    startsWith(PeerName.parse(name), words.text("claim").orElse(name), state, words),
                    words.is("stopped"),
                    words.text("node"),
                    words.text("unwell").map(ago -> NOW.minus(Duration.parse(ago))),
                    words.problem());
        }

        private Set<String> startsWith(PeerName peer, String claim, String state, Words words) {
            List<String> given = words.texts("startsWith");
            if (!given.isEmpty()) {
                return Set.copyOf(given);
            }
            Stream<String> others = IntStream.range(0, wish.replicas())
                    .mapToObj(wish::peer)
                    .filter(other -> !other.equals(peer))
                    .map(PeerName::toString);
            return Stream.concat(state.equals("sealed") ? Stream.empty() : others, Stream.of(claim))
                    .collect(toSet());
        }

        /** The claim that a member is called by, where the folder does not say: the one it is held to run on. */
        private String claimOf(PeerName slot, MemberId id) {
            List<ClaimView> claims =
                    claims().stream().filter(claim -> claim.peer().equals(slot)).toList();
            return claims.stream()
                    .filter(claim -> claim.held()
                            .filter(held -> held.memberId().equals(id))
                            .isPresent())
                    .findFirst()
                    .or(() -> claims.stream()
                            .filter(claim -> claim.contents() instanceof Contents.Joining && !claim.retired())
                            .findFirst())
                    .map(ClaimView::name)
                    .orElse(slot.toString());
        }

        private List<ClaimView> claims() {
            return entries("claims", usual("held", "bootstrapping")).entrySet().stream()
                    .map(claim -> claim(claim.getKey(), Words.of(claim.getValue(), "contents")))
                    .toList();
        }

        private static Start start(String state) {
            return switch (state) {
                case "sealed" -> Start.ON_DATA;
                case "joiner" -> Start.JOINS;
                case "founder" -> Start.FOUNDS;
                default -> throw strange("start", state, "sealed, joiner, founder, gone");
            };
        }

        private PodView pod(String name, Words words) {
            String state = words.text("state").orElse("sealed");
            PeerName peer = words.text("peer").map(PeerName::parse).orElseGet(() -> PeerName.parse(name));
            boolean runs = !words.is("pending");
            return new PodView(
                    name,
                    peer,
                    !words.is("orphan"),
                    words.text("claim").orElse(peer.toString()),
                    words.is("deleting"),
                    runs && words.problem().isEmpty(),
                    start(state),
                    runs ? Optional.of("10.0.0." + (peer.ordinal() + 1)) : Optional.empty(),
                    words.text("node").or(() -> runs ? Optional.of("node-" + (peer.ordinal() + 1)) : Optional.empty()),
                    words.problem());
        }

        private Membership membership() {
            boolean settled = like.equals("settled") && !yaml.has("unreachable");
            if (!settled && !yaml.has("members")) {
                return new Unreachable(yaml.path("unreachable").asText("no pod has an address yet"));
            }
            List<MemberView> members =
                    entries("members", ordinal -> settled ? ordinal == 0 ? "leader" : "voter" : null)
                            .entrySet()
                            .stream()
                            .map(member -> member(member.getKey(), Words.of(member.getValue(), "role")))
                            .toList();
            ClusterId id = ClusterId.parse(yaml.path("answersFor").asText("c1"));
            return new Reachable(id, members, yaml.path("quorum").asBoolean(true));
        }

        /** A member that is {@code listed} has never started: etcd knows founders by name before they do. */
        private MemberView member(String name, Words words) {
            String role = words.text("role").orElse("voter");
            Optional<String> unhealthy =
                    role.equals("listed") ? Optional.of("has no running pod") : words.text("unhealthy");
            Optional<String> version = words.text("version")
                    .or(() -> unhealthy.isPresent()
                            ? Optional.empty()
                            : Optional.of(wish.version().toString()));
            MemberId id = words.text("id").map(MemberId::parse).orElseGet(() -> memberId(PeerName.parse(name)));
            Optional<PeerName> slot = words.is("stranger")
                    ? Optional.empty()
                    : words.text("peer").or(() -> Optional.of(name)).flatMap(PeerName::tryParse);
            return new MemberView(
                    id,
                    name.startsWith("unnamed") || words.is("unnamed") ? "" : name,
                    slot.map(peer -> words.text("claim").orElseGet(() -> claimOf(peer, id))),
                    slot,
                    role.equals("listed") ? Role.VOTER : Role.valueOf(role.toUpperCase(Locale.ROOT)),
                    words.is("unasked")
                            ? new Health.Unknown()
                            : unhealthy.<Health>map(Health.Unhealthy::new).orElseGet(Health.Healthy::new),
                    version.map(EtcdVersion::parse),
                    version.isPresent()
                            ? words.text("size").map(Long::parseLong).orElse(20480L)
                            : 0);
        }

        private IntFunction<String> usual(String settled, String founding) {
            return ordinal -> switch (like) {
                case "settled" -> settled;
                case "founding" -> founding;
                case "nothing" -> null;
                default -> throw strange("like", like, "settled, founding");
            };
        }

        /** By name, in order; {@code gone} takes one away that {@code like} brought. */
        private Map<String, JsonNode> entries(String section, IntFunction<String> usual) {
            Map<String, JsonNode> entries = new TreeMap<>();
            IntStream.range(0, wish.replicas())
                    .filter(ordinal -> usual.apply(ordinal) != null)
                    .forEach(ordinal -> entries.put(wish.peer(ordinal).toString(), Words.word(usual.apply(ordinal))));
            yaml.path(section).properties().forEach(entry -> {
                if (entry.getValue().asText().equals("gone")) {
                    entries.remove(entry.getKey());
                } else {
                    entries.put(entry.getKey(), entry.getValue());
                }
            });
            return entries;
        }
    }

    static MemberId memberId(PeerName peer) {
        return new MemberId(0xa0 + peer.ordinal());
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    static IllegalArgumentException strange(String what, String word, String known) {
        return new IllegalArgumentException("%s cannot be '%s'; known are %s".formatted(what, word, known));
    }
}
