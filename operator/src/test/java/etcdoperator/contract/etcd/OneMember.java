package etcdoperator.contract.etcd;

import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.TlsMaterial;
import etcdoperator.tls.Authority;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.PemPair;
import etcdoperator.tls.Usage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A cluster of one, as a process on the loopback, with TLS for its clients or without. */
public final class OneMember implements AutoCloseable {
    /** Beside its address, what its certificate is good for. */
    static final String NAME = "one.c.ns.svc";

    private static final Duration DAY = Duration.ofDays(1);

    private final Path folder;
    private final int clientPort;
    private final boolean tls;
    private final Authority authority = Authority.create("one", DAY, Instant.now());
    private final Process process;

    private OneMember(String version, boolean tls, String... flags) {
        this.tls = tls;
        try {
            this.folder = Files.createTempDirectory("etcd-one");
            List<Integer> ports = FreePorts.take(2);
            this.clientPort = ports.getFirst();
            String peerUrl = "http://127.0.0.1:" + ports.getLast();
            String clientUrl = (tls ? "https" : "http") + "://127.0.0.1:" + clientPort;
            List<String> command = new ArrayList<>(List.of(
                    EtcdBinary.of(version).toString(),
                    "--name=one",
                    "--data-dir=" + folder.resolve("data"),
                    "--listen-peer-urls=" + peerUrl,
                    "--initial-advertise-peer-urls=" + peerUrl,
                    "--initial-cluster=one=" + peerUrl,
                    "--listen-client-urls=" + clientUrl,
                    "--advertise-client-urls=" + clientUrl));
            command.addAll(List.of(flags));
            if (tls) {
                PemPair server = authority.issue(
                        new LeafRequest(
                                "one", Set.of(NAME), Set.of("127.0.0.1"), Set.of(Usage.SERVER, Usage.CLIENT), DAY),
                        Instant.now());
                command.add("--cert-file=" + written("tls.crt", server.certificates()));
                command.add("--key-file=" + written("tls.key", server.key()));
                command.add(
                        "--trusted-ca-file=" + written("ca.crt", authority.pem().certificates()));
                command.add("--client-cert-auth=true");
            }
            this.process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static OneMember plain(String version, String... flags) {
        return new OneMember(version, false, flags);
    }

    public static OneMember secure(String version, String... flags) {
        return new OneMember(version, true, flags);
    }

    /** @param commonName of the certificate that is shown to it */
    public Endpoint endpoint(String commonName) {
        if (!tls) {
            return Endpoint.plain("127.0.0.1", clientPort);
        }
        PemPair client = authority.issue(
                new LeafRequest(commonName, Set.of(), Set.of(), Set.of(Usage.CLIENT), DAY), Instant.now());
        return Endpoint.secure(
                "127.0.0.1",
                clientPort,
                "127.0.0.1",
                new TlsMaterial(authority.pem().certificates(), client.certificates(), client.key()));
    }

    public Path dataDir() {
        return folder.resolve("data");
    }

    /** At once, as a power cut would; its data stays. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path written(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
