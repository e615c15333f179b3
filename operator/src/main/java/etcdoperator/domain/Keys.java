package etcdoperator.domain;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** Which keys of etcd a permission is about. */
public sealed interface Keys {
    /** As etcd has it: the first key, and the one behind the last; none for a single key. */
    byte[] first();

    byte[] end();

    record One(String key) implements Keys {
        @Override
        public byte[] first() {
            return key.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] end() {
            return new byte[0];
        }
    }

    /** @param prefix empty for every key there is */
    record Under(String prefix) implements Keys {
        @Override
        public byte[] first() {
            return prefix.isEmpty() ? new byte[] {0} : prefix.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] end() {
            return prefix.isEmpty() ? new byte[] {0} : behind(prefix.getBytes(StandardCharsets.UTF_8));
        }

        /** No byte of a text in UTF-8 is the highest there is, so that the last can always be raised. */
        private static byte[] behind(byte[] prefix) {
            byte[] end = prefix.clone();
            end[end.length - 1]++;
            return end;
        }
    }

    /** What somebody granted by hand that is neither; in hexadecimal. */
    record Between(String firstHex, String endHex) implements Keys {
        @Override
        public byte[] first() {
            return HexFormat.of().parseHex(firstHex);
        }

        @Override
        public byte[] end() {
            return HexFormat.of().parseHex(endHex);
        }
    }

    static Keys of(byte[] first, byte[] end) {
        Optional<String> text = text(first);
        if (text.isPresent() && end.length == 0) {
            return new One(text.get());
        }
        Keys everything = new Under("");
        if (Arrays.equals(first, everything.first()) && Arrays.equals(end, everything.end())) {
            return everything;
        }
        return text.filter(prefix -> !prefix.isEmpty())
                .<Keys>map(Under::new)
                .filter(under -> Arrays.equals(under.end(), end))
                .orElseGet(() -> new Between(
                        HexFormat.of().formatHex(first), HexFormat.of().formatHex(end)));
    }

    private static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
