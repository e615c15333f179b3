package etcdoperator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.store.StoreAddress.Provider;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreAddressTest {
    @Test
    void whatIsSaidIsMeant() {
        assertThat(StoreAddress.parse("s3://etcd-backups/team/a/", "http://s3.example:9000/", "eu-west-1", false))
                .isEqualTo(new StoreAddress(
                        Provider.S3,
                        "etcd-backups",
                        "team/a",
                        Optional.of(URI.create("http://s3.example:9000")),
                        Optional.of("eu-west-1"),
                        false));
        assertThat(StoreAddress.parse("gs://b.example.com", null, null, null))
                .isEqualTo(new StoreAddress(
                        Provider.GOOGLE, "b.example.com", "", Optional.empty(), Optional.empty(), false));
        assertThat(StoreAddress.parse("azblob://container", null, null, null).provider())
                .isEqualTo(Provider.AZURE);
        assertThat(StoreAddress.parse("s3://etcd-backups/team", null, null, null)
                        .objectUrl("ns/c.db"))
                .isEqualTo("s3://etcd-backups/team/ns/c.db");
    }

    @Test
    void compatibleStoresHaveBucketsInThePath() {
        assertThat(StoreAddress.parse("s3://etcd-backups", "http://s3.example", null, null)
                        .pathStyle())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "etcd-backups, , , 's3://, gs://, azblob://'",
        "https://etcd-backups, , , must begin with",
        "s3://, , , must name a bucket",
        "s3:///path, , , must name a bucket",
        "s3://a b, , , must name a bucket",
        "s3://id:hush@bucket, , , belong into a Secret",
        "s3://bucket?region=x, , , use the fields endpoint",
        "s3://bucket/../x, , , begins with a dot",
        "s3://bucket//x, , , a slash",
        "s3://bucket, s3.example:9000, , endpoint must be a URL",
        "s3://bucket, ftp://s3.example, , endpoint must be a URL",
        "s3://bucket, https://id:hush@s3.example, , without user",
        "s3://bucket, , eu west, region must be a name",
    })
    void nonsenseIsRefusedWithWords(String url, String endpoint, String region, String words) {
        assertThatThrownBy(() -> StoreAddress.parse(url, endpoint, region, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words)
                .hasMessageNotContaining("hush");
    }

    @Test
    void credentialsMustFit() {
        var google = new StoreCredentials.GoogleKey("{}");
        var azure = new StoreCredentials.AzureKey("account", "aHVzaA==");
        assertThatThrownBy(() -> Store.in(StoreAddress.parse("s3://bucket", null, null, null), google))
                .hasMessageContaining("the kind aws");
        assertThatThrownBy(() -> Store.in(StoreAddress.parse("gs://bucket", null, null, null), azure))
                .hasMessageContaining("the kind googleCloud");
        assertThatThrownBy(() -> Store.in(StoreAddress.parse("azblob://bucket", null, null, null), google))
                .hasMessageContaining("the kind azure");
        assertThatThrownBy(() -> Store.in(StoreAddress.parse("gs://bucket", null, null, null), google))
                .hasMessageContaining("no key file");
        assertThatThrownBy(() -> Store.in(
                        StoreAddress.parse("azblob://bucket", null, null, null), new StoreCredentials.PodIdentity()))
                .hasMessageContaining("needs the field endpoint");
        assertThat(azure.toString()).doesNotContain("aHVzaA");
    }
}
