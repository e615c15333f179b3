package etcdoperator.api.rules;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reads a time, and none from a text that is no time. The API server takes any text there, and one object that cannot
 * be read would keep the operator from reading any of its kind.
 */
public final class LenientInstant extends StdDeserializer<Instant> {
    private static final long serialVersionUID = 1L;

    public LenientInstant() {
        super(Instant.class);
    }

    @Override
    public @Nullable Instant deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        try {
            return Instant.parse(parser.getValueAsString(""));
        } catch (DateTimeException e) {
            return null;
        }
    }
}
