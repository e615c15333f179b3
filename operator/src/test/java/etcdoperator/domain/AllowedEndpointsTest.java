package etcdoperator.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedEndpointsTest {
    private static final AllowedEndpoints NONE = AllowedEndpoints.parse("none");
    private static final AllowedEndpoints USUAL = AllowedEndpoints.parse(AllowedEndpoints.USUAL);

    @ParameterizedTest
    @CsvSource({
        "s3, https://s3.amazonaws.com",
        "s3, https://s3.eu-west-1.amazonaws.com",
        "s3, https://s3-eu-west-1.amazonaws.com",
        "s3, https://s3.dualstack.us-gov-west-1.amazonaws.com",
        "s3, https://s3-fips.us-east-2.amazonaws.com:443",
        "s3, https://S3.cn-north-1.amazonaws.com.cn/",
        "s3, https://bucket.vpce-1a2b3c4d-5e6f.s3.us-east-1.vpce.amazonaws.com",
        "gs, https://storage.googleapis.com",
        "gs, https://storage-psc.p.googleapis.com",
        "azblob, https://account.blob.core.windows.net",
        "azblob, https://account.z12.blob.storage.azure.net/",
    })
    void anIdentityGoesToItsOwnProvider(String scheme, String endpoint) {
        assertThat(NONE.obstacle(scheme + "://b", Optional.of(endpoint), true)).isEmpty();
        assertThat(NONE.obstacle(scheme + "://b", Optional.of(endpoint), false)).isEmpty();
    }

    /** Names below a provider's domain that its customers choose lead to their servers. */
    @ParameterizedTest
    @CsvSource({
        "s3, https://evil.example",
        "s3, http://s3.amazonaws.com",
        "s3, https://s3-evil-1234.us-east-1.elb.amazonaws.com",
        "s3, https://s3.us-east-1.elb.amazonaws.com",
        "s3, https://abc.execute-api.us-east-1.amazonaws.com",
        "s3, https://ec2-198-51-100-7.compute-1.amazonaws.com",
        "s3, https://vpce-1.vpce-svc-2.us-east-1.vpce.amazonaws.com",
        "s3, https://evil-s3.amazonaws.com",
        "s3, https://s3.amazonaws.com.evil.example",
        "s3, https://s3.amazonaws.com@evil.example",
        "s3, https://evil.example/s3.amazonaws.com",
        "s3, https://storage.googleapis.com",
        "s3, https://169.254.169.254",
        "gs, https://evilgoogleapis.com",
        "gs, https://storage.googleapis.com.evil.example",
        "azblob, https://blob.core.windows.net.evil.example",
        "azblob, https://account.blob.core.windows.net:80@evil.example",
        "azblob, https://evil.azurewebsites.net"
    })
    void anIdentityGoesNowhereElse(String scheme, String endpoint) {
        var allowsAll = AllowedEndpoints.parse("https://*,http://*");
        assertThat(allowsAll.obstacle(scheme + "://b", Optional.of(endpoint), true))
                .get()
                .asString()
                .contains(endpoint)
                .contains("the identity of a pod is sent only to its own provider")
                .contains("Put credentials for this store into a Secret");
        assertThat(allowsAll.obstacle(scheme + "://b", Optional.of(endpoint), false))
                .isEmpty();
    }

    @Test
    void theProvidersOwnEndpointNeedsNoName() {
        assertThat(NONE.obstacle("s3://b", Optional.empty(), true)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "https://*, https://s3.example:9000",
        "https://*.example, https://a.b.example",
        "https://s3.example, https://S3.Example/prefix",
        "https://s3.example:9000, https://s3.example:9000",
        "https://s3.example:443, https://s3.example",
        "http://s3.example:80, http://s3.example",
        "'https://a.example, http://s3.example', http://s3.example:9000",
        "http://[fd00::1]:9000, http://[FD00::1]:9000"
    })
    void credentialsOfASecretGoWhereTheInstallationAllowsIt(String allowed, String endpoint) {
        assertThat(AllowedEndpoints.parse(allowed).obstacle("s3://b", Optional.of(endpoint), false))
                .isEmpty();
        assertThat(AllowedEndpoints.parse(allowed).obstacle("s3://b", Optional.of(endpoint), true))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "none, https://s3.example",
        "https://*.example, https://example",
        "https://*.example, https://s3.example.evil",
        "https://s3.example, https://s3.example.evil",
        "https://s3.example:9000, https://s3.example",
        "https://s3.example, https://s3.example@evil.example"
    })
    void andNowhereElse(String allowed, String endpoint) {
        assertThat(AllowedEndpoints.parse(allowed).obstacle("s3://b", Optional.of(endpoint), false))
                .get()
                .asString()
                .contains(endpoint + " is not one that this installation of the operator allows")
                .contains("stores.allowedEndpoints");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://s3.example", "http://s3.example:443", "http://s3.amazonaws.com"})
    void plaintextHasToBeAllowed(String endpoint) {
        assertThat(USUAL.obstacle("s3://b", Optional.of(endpoint), false))
                .contains("Endpoint " + endpoint + " is not encrypted, and this installation of the operator does not"
                        + " allow it (it allows https://*): use https, or ask the administrators of the operator to"
                        + " add it to stores.allowedEndpoints of its chart");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3.example", "ftp://s3.example", "https://", "https://a b", "HTTPS://s3.example"})
    void whatIsNoUrlGoesNowhere(String endpoint) {
        assertThat(AllowedEndpoints.parse("https://*,http://*").obstacle("s3://b", Optional.of(endpoint), false))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "s3.example", "https://", "https://a.*.b", "https://u@h", "https://h/p"})
    void whatCannotBeReadIsRefused(String text) {
        assertThatThrownBy(() -> AllowedEndpoints.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write https://HOST");
    }

    @Test
    void itIsPassedOnAsItWasRead() {
        assertThat(AllowedEndpoints.parse(" https://A.example:9000 ,http://*").text())
                .isEqualTo("https://a.example:9000,http://*");
        assertThat(NONE.text()).isEqualTo("none");
    }
}
