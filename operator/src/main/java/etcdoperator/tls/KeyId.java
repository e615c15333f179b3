package etcdoperator.tls;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Optional;

/** The two extensions by which certificates name keys. Java has them and does not tell. */
final class KeyId {
    private static final String SUBJECT = "2.5.29.14";
    private static final String AUTHORITY = "2.5.29.35";

    private static final int OCTETS = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int FIRST_FIELD = 0x80;

    private KeyId() {}

    static Optional<String> of(X509Certificate certificate) {
        return extension(certificate, SUBJECT)
                .flatMap(value -> within(value, OCTETS))
                .map(KeyId::hex);
    }

    static Optional<String> ofIssuer(X509Certificate certificate) {
        return extension(certificate, AUTHORITY)
                .flatMap(value -> within(value, SEQUENCE))
                .flatMap(value -> within(value, FIRST_FIELD))
                .map(KeyId::hex);
    }

    private static Optional<ByteBuffer> extension(X509Certificate certificate, String oid) {
        return Optional.ofNullable(certificate.getExtensionValue(oid))
                .map(ByteBuffer::wrap)
                .flatMap(value -> within(value, OCTETS));
    }

    /** The content of the DER value at the front, if it is of that kind. */
    private static Optional<ByteBuffer> within(ByteBuffer der, int tag) {
        try {
            if ((der.get() & 0xff) != tag) {
                return Optional.empty();
            }
            int length = length(der);
            return length < 0 || length > der.remaining()
                    ? Optional.empty()
                    : Optional.of(der.slice(der.position(), length));
        } catch (BufferUnderflowException e) {
            return Optional.empty();
        }
    }

    private static int length(ByteBuffer der) {
        int first = der.get() & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int octets = first & 0x7f; octets > 0; octets--) {
            length = length << 8 | der.get() & 0xff;
        }
        return length;
    }

    private static String hex(ByteBuffer content) {
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
