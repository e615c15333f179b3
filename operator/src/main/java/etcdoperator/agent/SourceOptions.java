package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.commandline.Flag;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.TlsMaterial;
import etcdoperator.tls.PemPair;
import etcdoperator.tls.SecretKeys;
import etcdoperator.tls.UnreadableException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is backed up, and who we are there. */
final class SourceOptions {
    /** As etcdctl has it, and as the API allows endpoints to be written. */
    private static final int USUAL_PORT = 2379;

    @Flag(name = "--endpoints", description = "URLs of members, tried in this order.")
    private List<String> endpoints = new ArrayList<>();

    @Flag(name = "--data-dir", description = "Data directory of a member that is stopped, instead of endpoints.")
    private @Nullable Path dataDir;

    @Flag(name = "--etcd-version", description = "With --data-dir: the version that wrote it.")
    private @Nullable String etcdVersion;

    @Flag(name = "--cluster-id", description = "With --data-dir: the id of its etcd cluster, in hexadecimal.")
    private @Nullable String clusterId;

    @Flag(name = "--tls-dir", description = "Folder with tls.crt, tls.key and ca.crt, or CoreOS's names for them.")
    private @Nullable Path tlsDir;

    @Flag(name = "--root-dir", description = "Folder with the files username and password.")
    private @Nullable Path rootDir;

    Source open() throws IOException, AgentException {
        if (dataDir != null) {
            return VolumeSource.open(dataDir, Optional.ofNullable(etcdVersion), Optional.ofNullable(clusterId));
        }
        if (endpoints.isEmpty()) {
            throw AgentException.fatal("nothing to back up is named: give --endpoints or --data-dir");
        }
        Optional<TlsMaterial> tls = tls();
        Optional<Credentials> root = root();
        List<Endpoint> members = new ArrayList<>();
        for (String url : endpoints) {
            members.add(endpoint(url, tls, root));
        }
        return MemberSource.first(members);
    }

    private static Endpoint endpoint(String text, Optional<TlsMaterial> tls, Optional<Credentials> root)
            throws AgentException {
        URI url = url(text);
        boolean secure = "https".equals(url.getScheme());
        if (secure && tls.isEmpty()) {
            throw AgentException.fatal(
                    text + " wants TLS, and there is no certificate to show: name a Secret with one");
        }
        return new Endpoint(url, Optional.empty(), secure ? tls : Optional.empty(), root);
    }

    private static URI url(String text) throws AgentException {
        try {
            URI url = new URI(text);
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (http && url.getHost() != null && url.getPort() != 0 && url.getUserInfo() == null) {
                return url.getPort() > 0
                        ? url
                        : new URI(url.getScheme(), null, url.getHost(), USUAL_PORT, null, null, null);
            }
        } catch (URISyntaxException e) {
            // The same cure.
        }
        throw AgentException.fatal("an endpoint has to be a URL such as https://etcd.example.com:2379");
    }

    private Optional<TlsMaterial> tls() throws IOException, AgentException {
        if (tlsDir == null) {
            return Optional.empty();
        }
        return switch (SecretKeys.of(names(tlsDir), SecretKeys.Side.CLIENT)) {
            case SecretKeys.Found found -> Optional.of(material(tlsDir, found));
            case SecretKeys.Missing missing ->
                throw AgentException.fatal(
                        "the Secret with the certificate lacks " + String.join(", ", missing.keys()));
        };
    }

    private static TlsMaterial material(Path folder, SecretKeys.Found found) throws IOException, AgentException {
        try {
            PemPair pair = new PemPair(
                            Files.readString(folder.resolve(found.certificate())),
                            Files.readString(folder.resolve(found.key())))
                    .forJava();
            return new TlsMaterial(Files.readString(folder.resolve(found.trust())), pair.certificates(), pair.key());
        } catch (UnreadableException e) {
            throw AgentException.fatal("the Secret with the certificate is of no use: " + e.getMessage());
        }
    }

    /** Beside the files of a mounted Secret there are folders of Kubernetes' own, whose names are none of these. */
    private static Set<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    private Optional<Credentials> root() throws AgentException {
        return login(rootDir);
    }

    /** @param rootDir a mounted Secret; none where etcd asks for no password */
    static Optional<Credentials> login(@Nullable Path rootDir) throws AgentException {
        if (rootDir == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Credentials(
                    Files.readString(rootDir.resolve("username")).strip(),
                    Files.readString(rootDir.resolve("password")).strip()));
        } catch (IOException e) {
            throw AgentException.fatal("the Secret with etcd's root user lacks username or password");
        }
    }
}
