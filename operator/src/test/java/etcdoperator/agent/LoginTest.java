package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.agentreport.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an agent has to know before it logs in to a store, and where it does not. */
class LoginTest {
    private static final String OBJECT = "ns/c/20260131T120000Z.db";

    @TempDir
    Path folder;

    private AgentTrial agent;

    @BeforeEach
    void lay() {
        agent = new AgentTrial(folder);
    }

    /** The operator does not even start an agent for it; an agent that an older operator started sends nothing. */
    @ParameterizedTest
    @CsvSource({
        "s3://backups, https://s3.example, pod, https://*, is not one of Amazon S3",
        "s3://backups, http://s3.example, aws, https://*, is not encrypted",
        "s3://backups, https://s3.example, aws, none, is not one that this installation of the operator allows",
        "azblob://bucket, https://evil.example/account, azure, https://*.windows.net, is not one that"
    })
    void credentialsAreNotSentToJustAnyEndpoint(
            String bucket, String endpoint, String credentials, String allowed, String why) {
        Result refused = agent.run(
                new DeleteCommand(),
                "--bucket-url=" + bucket,
                "--endpoint=" + endpoint,
                "--allowed-endpoints=" + allowed,
                "--credentials=" + credentials,
                "--credentials-dir=" + folder,
                "--path=" + OBJECT);
        assertThat(refused.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(refused.message()).contains("Endpoint " + endpoint).contains(why);
    }

    @ParameterizedTest
    @CsvSource({"aws, no AWS_ACCESS_KEY_ID", "azure, no AZURE_STORAGE_ACCOUNT"})
    void credentialsThatAreMissingMayComeLater(String kind, String missing) throws IOException {
        Path credentials = Files.createDirectory(folder.resolve("credentials"));
        Result keyless = agent.run(
                new DeleteCommand(),
                "--bucket-url=s3://backups",
                "--credentials=" + kind,
                "--credentials-dir=" + credentials,
                "--path=" + OBJECT);
        assertThat(keyless.exitCode()).isEqualTo(ExitCodes.FOR_NOW);
        assertThat(keyless.message()).contains("the credentials have " + missing);
    }
}
