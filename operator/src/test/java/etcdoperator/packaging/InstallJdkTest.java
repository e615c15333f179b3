package etcdoperator.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How {@code packaging/install-jdk} gets a JDK: from a server of this test, and a package manager that is a script. */
class InstallJdkTest {
    @TempDir
    Path folder;

    private HttpServer server;
    private byte[] archive;
    private int announced;
    private String sha256;

    @BeforeEach
    void serveAJdk() throws Exception {
        archive = tar(jdk(folder.resolve("jdk-25.0.3+9"), "25.0.3"));
        announced = archive.length;
        sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
        Files.createDirectories(folder.resolve("bin"));
        script("bin/id", "echo 0");
        script("bin/apt-get", "echo \"$@\" >>" + folder.resolve("apt-get.log"));
        script("bin/apt-cache", "echo '  Candidate: (none)'");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/jdk.tar.gz", this::serve);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void anArchiveWithItsChecksumBecomesTheJdk() throws Exception {
        assertThat(install()).contains("JDK 25: " + home());
        assertThat(run("packaging/find-jdk", home().toString())).isEqualTo(home() + "\n");
        assertThat(cached()).containsExactly("jdk-25");
    }

    @Test
    void anArchiveWithAnotherChecksumIsRefused() throws Exception {
        sha256 = "0".repeat(64);
        assertThat(install()).contains("is not the archive that was expected", "not " + sha256);
        assertThat(cached()).isEmpty();
    }

    @Test
    void aDownloadThatIsCutShortIsNotUsed() throws Exception {
        archive = Arrays.copyOf(archive, archive.length / 2);
        assertThat(install()).contains("curl:");
        assertThat(cached()).isEmpty();
    }

    @Test
    void aDownloadThatEndsTooEarlyAndDoesNotShowItIsNotUsed() throws Exception {
        archive = Arrays.copyOf(archive, archive.length / 2);
        announced = archive.length;
        assertThat(install()).contains("is not the archive that was expected");
        assertThat(cached()).isEmpty();
    }

    @Test
    void anOlderJdkIsRefusedWhateverItsChecksum() throws Exception {
        archive = tar(jdk(folder.resolve("jdk-21"), "21.0.1"));
        announced = archive.length;
        sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
        assertThat(install()).contains("is no JDK 25");
        assertThat(cached()).isEmpty();
    }

    @Test
    void thePackageOfTheDistributionComesFirst() throws Exception {
        Path installed = jdk(folder.resolve("java-25-openjdk"), "25.0.1");
        script("bin/apt-cache", "echo '  Candidate: 25.0.1+8-1'");
        script("bin/dpkg", "echo " + installed.resolve("bin/javac"));
        assertThat(install()).doesNotContain("downloading");
        assertThat(Files.readString(folder.resolve("apt-get.log")))
                .contains("install")
                .contains("openjdk-25-jdk-headless");
        assertThat(home().toRealPath()).isEqualTo(installed.toRealPath());
    }

    private void serve(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, announced);
        exchange.getResponseBody().write(archive);
        exchange.close();
    }

    /** Runs the script and returns what it says. Whether it failed shows in the cache. */
    private String install() throws Exception {
        Files.createDirectories(home().getParent());
        return run("packaging/install-jdk");
    }

    private String run(String... command) throws Exception {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        String path = System.getenv("PATH");
        assumeTrue(
                Arrays.stream(path.split(":")).anyMatch(each -> Files.isExecutable(Path.of(each, "curl"))),
                "this test needs curl");
        builder.environment().put("PATH", folder.resolve("bin") + ":" + path);
        builder.environment().put("ETCD_OPERATOR_CACHE", home().getParent().toString());
        builder.environment()
                .put(
                        "ETCD_OPERATOR_JDK_URL",
                        "http://127.0.0.1:" + server.getAddress().getPort() + "/jdk.tar.gz");
        builder.environment().put("ETCD_OPERATOR_JDK_SHA256", sha256);
        Process process = builder.start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    private Path home() {
        return folder.resolve("cache/jdk-25");
    }

    private List<String> cached() throws IOException {
        try (var files = Files.list(home().getParent())) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    /** As little of a JDK as the scripts look at. */
    private Path jdk(Path home, String version) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        for (String program : List.of("java", "javac", "jlink")) {
            script(folder.relativize(home.resolve("bin").resolve(program)).toString(), "exit 0");
        }
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private byte[] tar(Path home) throws Exception {
        Path file = folder.resolve(home.getFileName() + ".tar.gz");
        var builder = new ProcessBuilder(
                "tar",
                "-C",
                folder.toString(),
                "-czf",
                file.toString(),
                home.getFileName().toString());
        assertThat(builder.start().waitFor()).isZero();
        return Files.readAllBytes(file);
    }

    private void script(String name, String content) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + content + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
