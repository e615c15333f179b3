package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.EtcdPeerSpec;
import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSetup.ClientSide;
import etcdoperator.api.TlsSetup.PeerSide;
import etcdoperator.api.TlsSetup.PeerStage;
import etcdoperator.api.TlsSetup.SecretFiles;
import etcdoperator.api.TlsSpec.ClientTlsMode;
import etcdoperator.cluster.view.Issuance;
import etcdoperator.cluster.view.Issuance.Turn;
import etcdoperator.cluster.view.TlsView;
import etcdoperator.cluster.view.TlsView.Remark;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.Usage;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What a scenario says of TLS. A setup is {@code none}, {@code prepared} or {@code required} between members, {@code
 * permissive} beside it if clients have both, and a word for the trusted authorities where they are not the usual ones:
 * {@code required old}.
 */
public final class ScenarioTls {
    private static final LeafRequest ANY =
            new LeafRequest("any", Set.of(), Set.of(), Set.of(Usage.CLIENT), Duration.ofDays(90));

    private final JsonNode yaml;

    ScenarioTls(JsonNode yaml) {
        this.yaml = yaml;
    }

    static boolean isSetup(String word) {
        return Set.of("none", "prepared", "required").contains(word.split(" ")[0]);
    }

    static TlsSetup setup(String words) {
        String[] parts = words.split(" ");
        boolean permissive = words.contains("permissive");
        String last = parts[parts.length - 1];
        String trust = parts.length == 1 || last.equals("permissive") ? "usual" : last;
        return switch (parts[0]) {
            case "none" -> new TlsSetup(permissive ? client(true, trust) : null, null);
            case "prepared" -> new TlsSetup(client(permissive, trust), peer(PeerStage.PREPARED, trust));
            case "required" -> new TlsSetup(client(permissive, trust), peer(PeerStage.REQUIRED, trust));
            default -> throw ScenarioView.strange("tls", words, "none, prepared, required");
        };
    }

    private static ClientSide client(boolean permissive, String trust) {
        return new ClientSide(
                permissive ? ClientTlsMode.PERMISSIVE : ClientTlsMode.REQUIRED, files("c-server-tls", trust));
    }

    private static PeerSide peer(PeerStage stage, String trust) {
        return new PeerSide(stage, files("c-peer-tls", trust), "c-peer", "c-0.c.ns.svc");
    }

    private static SecretFiles files(String secret, String trust) {
        return new SecretFiles(secret, "tls.crt", "tls.key", "ca.crt", trust);
    }

    String target() {
        return yaml.path("target").asText("none");
    }

    TlsView view() {
        if (yaml.isMissingNode()) {
            return TlsView.PLAIN;
        }
        Words words = new Words(yaml);
        return new TlsView(
                setup(target()),
                Optional.ofNullable(setup(words.text("known").orElse(target())).peer()),
                words.texts("due").stream().map(ScenarioTls::issuance).toList(),
                words.problem(),
                words.is("look"),
                Optional.empty(),
                words.text("nextIn").map(span -> ScenarioView.NOW.plus(Duration.parse(span))),
                words.texts("trusted"),
                words.text("remark").map(ScenarioTls::remark));
    }

    private static Remark remark(String text) {
        String[] parts = text.split(" ", 2);
        return new Remark(parts[0], parts[1]);
    }

    /** {@code c-ca BEGIN} is a turn of the authority, {@code c-peer-tls} is a certificate. */
    private static Issuance issuance(String text) {
        String[] parts = text.split(" ");
        return parts.length == 1
                ? new Issuance.Leaf(text, ANY)
                : new Issuance.Authority(parts[0], Turn.valueOf(parts[1]));
    }

    public static String described(Issuance issuance) {
        return switch (issuance) {
            case Issuance.Leaf leaf -> leaf.secret();
            case Issuance.Authority authority -> authority.secret() + " " + authority.turn();
            case Issuance.Copy copy -> copy.secret() + " from " + copy.source().secret() + " " + copy.part();
            case Issuance.Order order ->
                order.secret() + " by " + order.issuer().name();
        };
    }

    /** How a peer speaks with others and whom of its first members it looks for by TLS; nothing for plaintext. */
    static String described(EtcdPeerSpec peer) {
        var byTls = peer.bootstrap().staticBootstrap().initialCluster().stream()
                .filter(member -> "https".equals(member.scheme()))
                .map(member -> " https://" + member.host().split("\\.")[0])
                .toList();
        PeerSide side = peer.tlsOrNone().peer();
        return (side == null ? "" : " " + side.stage()) + String.join("", byTls);
    }
}
