package etcdoperator.tls;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/** Keys in the three forms that etcd reads: PKCS#8, PKCS#1 and SEC 1. No message ever holds a part of one. */
final class PrivateKeys {
    private static final byte[] ANYTHING = "does this key belong to that certificate?".getBytes(StandardCharsets.UTF_8);

    private static final Set<String> SIGNING = Set.of("RSA", "EC", "EdDSA");

    private PrivateKeys() {}

    static PrivateKey read(String text) {
        List<Pem> keys = Pem.blocks(text).stream().filter(Pem::isPrivateKey).toList();
        if (keys.isEmpty()) {
            throw new UnreadableException(text.isBlank() ? "it is empty" : "it holds no private key in PEM form");
        }
        // etcd takes the first, too.
        return read(keys.getFirst());
    }

    private static PrivateKey read(Pem block) {
        try (var parser = new PEMParser(new StringReader(block.text()))) {
            Object parsed = parser.readObject();
            return switch (parsed) {
                case PrivateKeyInfo key -> new JcaPEMKeyConverter().getPrivateKey(key);
                case PEMKeyPair pair -> new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo());
                case PKCS8EncryptedPrivateKeyInfo _, PEMEncryptedKeyPair _ ->
                    throw new UnreadableException("its private key is encrypted");
                case null, default -> throw new UnreadableException("its private key is of no known kind");
            };
        } catch (UnreadableException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The parser lets all kinds of exceptions out, some of which quote what it read.
            throw new UnreadableException("its private key is damaged");
        }
    }

    static String pem(PrivateKey key) {
        return Pem.text("PRIVATE KEY", key.getEncoded());
    }

    /** Tried, not compared: the kinds of keys have no other way in common. */
    static boolean belongTogether(PrivateKey key, PublicKey publicKey) {
        try {
            Signature signature = Signature.getInstance(signatureAlgorithm(key));
            signature.initSign(key);
            signature.update(ANYTHING);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(ANYTHING);
            return signature.verify(signed);
        } catch (GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }

    /** There are kinds of keys, such as DSA, which Java signs with and no certificate is signed with any more. */
    static boolean signsCertificates(PublicKey key) {
        return SIGNING.contains(key.getAlgorithm());
    }

    /** By which a key signs certificates, too; larger curves go with larger digests. */
    static String signatureAlgorithm(PrivateKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> key instanceof ECKey ec && bits(ec) > 256 ? "SHA384withECDSA" : "SHA256withECDSA";
            case "EdDSA" -> key instanceof EdECKey ed ? ed.getParams().getName() : key.getAlgorithm();
            default -> key.getAlgorithm();
        };
    }

    private static int bits(ECKey key) {
        return key.getParams().getOrder().bitLength();
    }
}
