package etcdoperator.agent.crypto;

import etcdoperator.agentreport.AgentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** What backups are encrypted with. Each gets a key of its own, made of this one and a number that is never the same. */
public final class EncryptionKey {
    public static final int SIZE = 32;
    private static final int SALT = 32;
    private static final int PROOF = 16;

    private final SecretKey secret;

    private EncryptionKey(byte[] secret) {
        this.secret = new SecretKeySpec(secret, "HKDF");
    }

    /** @throws AgentException in words for users */
    public static EncryptionKey read(Path file) throws AgentException {
        try {
            return parse(Files.readString(file).strip());
        } catch (IOException e) {
            throw AgentException.fatal("the encryption key cannot be read from " + file
                    + ": mount the Secret that encryption.keySecret names, and its key");
        }
    }

    public static EncryptionKey parse(String base64) throws AgentException {
        byte[] bytes = decoded(base64);
        if (bytes.length != SIZE) {
            throw AgentException.fatal("the encryption key has to be 32 bytes in Base64, such as"
                    + " 'openssl rand -base64 32' makes: this one is not");
        }
        return new EncryptionKey(bytes);
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    EncryptionHeader newHeader() {
        byte[] salt = new byte[SALT];
        new SecureRandom().nextBytes(salt);
        return new EncryptionHeader(salt, derived(salt, "proof", PROOF));
    }

    /** Whether what begins so was encrypted with this key. */
    boolean fits(EncryptionHeader header) {
        return Arrays.equals(derived(header.salt(), "proof", PROOF), header.proof());
    }

    SecretKey keyFor(EncryptionHeader header) {
        return new SecretKeySpec(derived(header.salt(), "content", SIZE), "AES");
    }

    private byte[] derived(byte[] salt, String purpose, int length) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(secret)
                            .addSalt(salt)
                            .thenExpand(purpose.getBytes(java.nio.charset.StandardCharsets.US_ASCII), length));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HKDF", e);
        }
    }

    /** Keys must never reach a log line. */
    @Override
    public String toString() {
        return "EncryptionKey[…]";
    }
}
