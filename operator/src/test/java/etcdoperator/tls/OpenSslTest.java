package etcdoperator.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody else reads what we make, and makes what we read. */
class OpenSslTest {
    /** openssl verifies by its own clock. */
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    private final Authority authority = Authority.create("c of default", Duration.ofDays(3650), now);

    @TempDir
    Path folder;

    /** The one on a Mac only has its name, and other options. */
    @BeforeEach
    void itIsNotSomethingElse() {
        assumeTrue(run("version").matches("OpenSSL [3-9].*"));
    }

    @BeforeEach
    void writeTheAuthority() throws IOException {
        write("ca.crt", authority.pem().certificates());
        write("ca.key", authority.pem().key());
    }

    @Test
    void itSeesAnAuthority() {
        assertThat(run("x509", "-in", "ca.crt", "-noout", "-text"))
                .containsPattern("Subject: CN ?= ?c of default")
                .contains("X509v3 Basic Constraints: critical CA:TRUE")
                .contains("X509v3 Key Usage: critical Certificate Sign, CRL Sign")
                .contains("X509v3 Subject Key Identifier:")
                .contains("NIST CURVE: P-256")
                .contains("Signature Algorithm: ecdsa-with-SHA256");
        assertThat(run("verify", "-x509_strict", "-CAfile", "ca.crt", "ca.crt")).contains("ca.crt: OK");
    }

    @Test
    void itSeesAMember() throws IOException {
        PemPair member = authority.issue(Leaves.member(), now);
        write("leaf.crt", member.certificates());
        write("leaf.key", member.key());
        assertThat(run("x509", "-in", "leaf.crt", "-noout", "-text"))
                .contains("X509v3 Basic Constraints: critical CA:FALSE")
                .contains("X509v3 Key Usage: critical Digital Signature")
                .contains("X509v3 Extended Key Usage: TLS Web Server Authentication, TLS Web Client Authentication")
                .contains("DNS:*.c.default.svc, DNS:c-0.c.default.svc, DNS:localhost,"
                        + " IP Address:0:0:0:0:0:0:0:1, IP Address:127.0.0.1");
        assertThat(run("pkey", "-in", "leaf.key", "-pubout"))
                .isEqualTo(run("x509", "-in", "leaf.crt", "-noout", "-pubkey"));
        assertThat(run("x509", "-in", "leaf.crt", "-noout", "-dates", "-dateopt", "iso_8601"))
                .isEqualTo(
                        "notBefore=%s notAfter=%s".formatted(iso(now.minusSeconds(3600)), iso(now.plus(Leaves.MONTH))));
        for (String purpose : List.of("sslserver", "sslclient")) {
            assertThat(run("verify", "-x509_strict", "-purpose", purpose, "-CAfile", "ca.crt", "leaf.crt"))
                    .contains("leaf.crt: OK");
        }
        assertThat(run("verify", "-verify_hostname", "c-9.c.default.svc", "-CAfile", "ca.crt", "leaf.crt"))
                .contains("leaf.crt: OK");
        assertThat(run("verify", "-verify_ip", "::1", "-CAfile", "ca.crt", "leaf.crt"))
                .contains("leaf.crt: OK");
    }

    @Test
    void itHoldsAClientToBeNoServer() throws IOException {
        write("leaf.crt", authority.issue(Leaves.client("root"), now).certificates());
        assertThat(run("verify", "-purpose", "sslclient", "-CAfile", "ca.crt", "leaf.crt"))
                .contains("leaf.crt: OK");
        assertThat(run("verify", "-purpose", "sslserver", "-CAfile", "ca.crt", "leaf.crt"))
                .contains("unsuitable certificate purpose");
    }

    @Test
    void weAgreeOnFingerprintAndSerial() {
        CertificateView view = authority.certificate();
        assertThat(run("x509", "-in", "ca.crt", "-noout", "-fingerprint", "-sha256")
                        .replace(":", ""))
                .endsWithIgnoringCase(view.fingerprint());
        assertThat(run("x509", "-in", "ca.crt", "-noout", "-serial").replace("serial=0", "serial="))
                .isEqualToIgnoringCase("serial=" + view.serial());
    }

    static Stream<Arguments> kindsOfKeys() {
        return Stream.of(
                arguments("RSA PRIVATE KEY", List.of("genrsa", "-traditional", "2048")),
                arguments("PRIVATE KEY", List.of("genrsa", "2048")),
                arguments("EC PRIVATE KEY", List.of("ecparam", "-name", "prime256v1", "-genkey")),
                arguments("EC PRIVATE KEY", List.of("ecparam", "-name", "secp384r1", "-genkey", "-noout")),
                arguments("PRIVATE KEY", List.of("genpkey", "-algorithm", "ed25519")));
    }

    /** A root, an authority below it, and a leaf of each kind: made by openssl, read and continued by us. */
    @ParameterizedTest
    @MethodSource("kindsOfKeys")
    void weReadWhatItMakes(String label, List<String> command) throws IOException {
        for (String name : List.of("root", "middle", "leaf")) {
            List<String> generate = new ArrayList<>(command);
            generate.addAll(1, List.of("-out", name + ".key"));
            run(generate.toArray(String[]::new));
        }
        assertThat(read("leaf.key")).contains("-----BEGIN " + label + "-----");
        run("req", "-x509", "-new", "-key", "root.key", "-subj", "/O=us/CN=root", "-days", "9", "-out", "root.crt");
        sign("middle", "root", "basicConstraints=critical,CA:TRUE\nsubjectKeyIdentifier=hash\n");
        sign("leaf", "middle", "subjectAltName=DNS:c-0,IP:fd00::1\nextendedKeyUsage=critical,serverAuth\n");

        PemPair leaf = new PemPair(read("leaf.crt") + read("middle.crt"), read("leaf.key"));
        assertThat(inspect(leaf, read("root.crt"))).isEmpty();
        assertThat(inspect(leaf.forJava(), read("root.crt"))).isEmpty();
        assertThat(leaf.forJava().key()).startsWith("-----BEGIN PRIVATE KEY-----");
        assertThat(inspect(leaf, read("middle.crt")))
                .as("an anchor need not be a root")
                .isEmpty();
        assertThat(inspect(new PemPair(read("leaf.crt"), read("leaf.key")), read("root.crt")))
                .containsExactly("it is not signed by any certificate in ca.crt");
        assertThat(CertificateView.of(read("leaf.crt")).commonName()).isEqualTo("leaf");

        PemPair ours = Authority.of(new PemPair(read("middle.crt"), read("middle.key")))
                .issue(Leaves.member(), now);
        write("ours.crt", ours.certificates());
        assertThat(run("verify", "-CAfile", "root.crt", "-untrusted", "ours.crt", "ours.crt"))
                .contains("ours.crt: OK");
    }

    @Test
    void encryptedKeysAreTold() {
        for (List<String> command : List.of(
                List.of("genrsa", "-out", "x.key", "-aes128", "-passout", "pass:secret", "2048"),
                List.of("genrsa", "-out", "x.key", "-traditional", "-aes128", "-passout", "pass:secret", "2048"))) {
            run(command.toArray(String[]::new));
            assertThat(inspect(new PemPair(read("ca.crt"), read("x.key")), read("ca.crt")))
                    .contains("tls.key cannot be read: its private key is encrypted");
        }
    }

    @Test
    void signaturesThatEtcdRefusesAreTold() {
        run("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "x.key");
        run(
                "req",
                "-x509",
                "-new",
                "-sha1",
                "-key",
                "x.key",
                "-subj",
                "/CN=x",
                "-addext",
                "subjectAltName=DNS:c-0",
                "-out",
                "x.crt");
        assertThat(inspect(new PemPair(read("x.crt"), read("x.key")), read("x.crt")))
                .containsExactly(
                        "it is signed by SHA1withECDSA, which etcd does not accept any more",
                        "it is not valid for fd00:0::1");
    }

    @Test
    void aSignerThatEndedIsNotTakenForAStranger() throws IOException {
        // The same key and name for longer: the leaf outlives the certificate that is trusted.
        run("req", "-x509", "-new", "-key", "ca.key", "-subj", "/CN=c of default", "-days", "1", "-out", "brief.crt");
        PemPair leaf = authority.issue(Leaves.member(), now);
        var inspection = new Inspection(
                SecretKeys.Found.KUBERNETES, leaf, read("brief.crt"), Set.of(), Set.of(), now.plus(Duration.ofDays(2)));
        assertThat(inspection.complaint())
                .contains(
                        "a certificate that it was signed by, in ca.crt or on the way to it, ended or is not valid yet");
    }

    private List<String> inspect(PemPair pair, String trust) {
        Instant soon = now.plus(Duration.ofHours(1));
        return new Inspection(
                        SecretKeys.Found.KUBERNETES,
                        pair,
                        trust,
                        Set.of("c-0", "fd00:0::1"),
                        Set.of(Usage.SERVER),
                        soon)
                .flaws().stream().map(Flaw::words).toList();
    }

    private void sign(String subject, String issuer, String extensions) throws IOException {
        write("extensions", extensions);
        run("req", "-new", "-key", subject + ".key", "-subj", "/CN=" + subject, "-out", subject + ".csr");
        run(
                "x509",
                "-req",
                "-in",
                subject + ".csr",
                "-CA",
                issuer + ".crt",
                "-CAkey",
                issuer + ".key",
                "-CAcreateserial",
                "-days",
                "8",
                "-extfile",
                "extensions",
                "-out",
                subject + ".crt");
    }

    private static String iso(Instant time) {
        return time.toString().replace('T', ' ');
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private String read(String name) {
        try {
            return Files.readString(folder.resolve(name));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What it says, on a single line. */
    private String run(String... arguments) {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        try {
            Process openssl = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            openssl.waitFor();
            return output.replaceAll("\\s+", " ").strip();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("openssl, a package of every Linux, is needed: " + e.getMessage(), e);
        }
    }
}
