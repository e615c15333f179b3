package etcdoperator.cluster.scenario;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.cluster.observe.MaintenanceReader;
import etcdoperator.cluster.observe.WishReader;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.ClusterView.Wish;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Start;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.manifest.Transports;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What the folder says, over what {@code like:} says. */
final class ScenarioReader {
    private final JsonNode yaml;
    private final ScenarioEntries entries;
    private final Wish wish;
    private final String settings;
    private final ScenarioTls tls;
    private final ScenarioSpeech speech;

    ScenarioReader(JsonNode yaml) {
        this.yaml = yaml;
        this.tls = new ScenarioTls(yaml.path("tls"));
        this.speech = new ScenarioSpeech(yaml, tls.target());
        JsonNode cluster = yaml.path("cluster");
        this.settings = cluster.path("settings").asText(ScenarioView.USUAL);
        var version = EtcdVersion.parse(cluster.path("version").asText("3.6.16"));
        EtcdClusterSpec spec = ScenarioSpec.of(cluster.path("replicas").asInt(3), version, settings, yaml.path("spec"));
        this.wish = new Wish(
                new ClusterKey("ns", "c"),
                cluster.path("uid").asText("u1"),
                spec.replicas(),
                version,
                hash(version, settings, tls.target()),
                Duration.parse(cluster.path("memberTimeout").asText("PT5M")),
                WishReader.recovery(
                        spec, Optional.ofNullable(cluster.get("recover")).map(JsonNode::asText)),
                MaintenanceReader.ofOrNever(spec),
                WishReader.backsUpFirst(spec),
                WishReader.mistake(spec),
                Boolean.TRUE.equals(spec.paused()),
                Optional.ofNullable(cluster.get("restoring")).map(JsonNode::asText),
                Optional.ofNullable(cluster.get("claimSeed")).map(JsonNode::asText));
        this.entries = new ScenarioEntries(yaml, yaml.path("like").asText("nothing"), wish);
    }

    ScenarioView read() {
        List<ClaimView> claims = claims();
        List<String> drift = ScenarioView.texts(yaml.path("drift"));
        var view = new ClusterView(
                wish,
                new ScenarioMemory(yaml, entries.like(), wish.key().name()).read(),
                claims,
                entries.of("peers", entries.usual("sealed", "founder")).entrySet().stream()
                        .map(peer -> peer(peer.getKey(), Words.of(peer.getValue(), "state")))
                        .sorted(Comparator.comparing(PeerView::name))
                        .toList(),
                entries.of("pods", entries.usual("sealed", "founder")).entrySet().stream()
                        .map(pod -> pod(pod.getKey(), Words.of(pod.getValue(), "state")))
                        .toList(),
                new ScenarioMembership(entries, claims, speech).read(),
                Set.copyOf(ScenarioView.texts(yaml.path("nodesDown"))),
                tls.view(),
                ScenarioAccounts.read(yaml.path("auth")),
                drift.stream().map(name -> name.replace(" missing", "")).toList(),
                ScenarioView.texts(yaml.path("surplus")),
                ScenarioBackups.read(yaml.path("backups")),
                ScenarioRecoveries.read(yaml.path("recoveries")),
                ScenarioChores.read(yaml.path("chores")),
                ScenarioView.NOW);
        Set<String> missing = new TreeSet<>();
        drift.stream()
                .filter(name -> name.endsWith(" missing"))
                .forEach(name -> missing.add(name.replace(" missing", "")));
        Map<PeerName, String> peerSettings = new TreeMap<>();
        yaml.path("peers")
                .properties()
                .forEach(peer -> peerSettings.put(
                        PeerName.parse(peer.getKey()),
                        peer.getValue().path("settings").asText(settings)));
        return new ScenarioView(
                view,
                settings,
                yaml.path("spec"),
                peerSettings,
                missing,
                ScenarioStatus.read(yaml.path("before"), view));
    }

    private PeerView.Setup setup(Words words) {
        EtcdVersion version = words.text("version").map(EtcdVersion::parse).orElse(wish.version());
        String own = words.text("settings").orElse(settings);
        String speaks = words.text("tls").orElse(tls.target());
        return new PeerView.Setup(
                version,
                hash(version, own, speaks),
                words.text("rendered")
                        .map(rendered -> madeWith(rendered, version, own, speaks))
                        .orElseGet(() -> hash(version, own, speaks)),
                words.text("lastRan").map(EtcdVersion::parse),
                ScenarioTls.setup(speaks));
    }

    /** {@code 3.5.35}, a word for other settings of the same version, or one for TLS. */
    private String madeWith(String made, EtcdVersion version, String settings, String speaks) {
        if (made.equals("unmarked")) {
            return "";
        }
        if (ScenarioTls.isSetup(made)) {
            return hash(version, settings, made);
        }
        return Character.isDigit(made.charAt(0))
                ? hash(EtcdVersion.parse(made), ScenarioView.USUAL, speaks)
                : hash(version, made, speaks);
    }

    private String hash(EtcdVersion version, String word, String speaks) {
        return ScenarioSpec.hash(version, word, yaml.path("spec"), ScenarioTls.setup(speaks));
    }

    private String made(PeerName peer, Words words) {
        Words owner = speech.owner(peer);
        return words.text("made")
                .or(() -> words.text("tls"))
                .map(made -> madeWith(
                        made,
                        wish.version(),
                        owner.text("settings").orElse(settings),
                        owner.text("tls").orElse(tls.target())))
                .orElseGet(() -> setup(owner).templateSettings());
    }

    private PeerView peer(String name, Words words) {
        String state = words.text("state").orElse("sealed");
        return new PeerView(
                PeerName.parse(name),
                switch (words.text("owner").orElse("this")) {
                    case "this" -> PeerView.Owner.THIS_CLUSTER;
                    case "earlier" -> PeerView.Owner.EARLIER_CLUSTER;
                    case "nobody" -> PeerView.Owner.NOBODY;
                    default ->
                        throw ScenarioView.strange("owner", words.text("owner").orElse(""), "this, earlier, nobody");
                },
                words.is("deleting"),
                words.text("claim").orElse(name),
                start(state),
                start(words.text("template").orElse(state)),
                startsWith(PeerName.parse(name), words.text("claim").orElse(name), state, words),
                words.is("stopped"),
                words.text("node"),
                words.text("unwell").map(ago -> ScenarioView.NOW.minus(Duration.parse(ago))),
                words.problem(),
                setup(words));
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

    private List<ClaimView> claims() {
        return entries.of("claims", entries.usual("held", "bootstrapping")).entrySet().stream()
                .map(claim -> new ScenarioClaim(yaml, wish, speech)
                        .read(claim.getKey(), Words.of(claim.getValue(), "contents")))
                .toList();
    }

    private static Start start(String state) {
        return switch (state) {
            case "sealed" -> Start.ON_DATA;
            case "joiner" -> Start.JOINS;
            case "founder" -> Start.FOUNDS;
            default -> throw ScenarioView.strange("start", state, "sealed, joiner, founder, gone");
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
                words.is("deleting") || words.is("lingers"),
                words.is("lingers"),
                runs && words.problem().isEmpty(),
                !words.is("out"),
                start(state),
                made(peer, words),
                Transports.of(speech.of(peer, words)),
                runs ? Optional.of("10.0.0." + (peer.ordinal() + 1)) : Optional.empty(),
                words.text("node").or(() -> runs ? Optional.of("node-" + (peer.ordinal() + 1)) : Optional.empty()),
                words.problem());
    }
}
