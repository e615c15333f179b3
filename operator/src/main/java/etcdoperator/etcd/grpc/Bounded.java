package etcdoperator.etcd.grpc;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Bodies of which only so much is read and kept, however much a member sends. */
final class Bounded {
    /** More than ten times what etcd writes. */
    private static final long LONGEST_PAGE = 8L * 1024 * 1024;

    private static final int LONGEST_LINE = 1024;

    private Bounded() {}

    /**
     * The beginning of a body.
     *
     * @param whole whether it is all of it
     */
    record Excerpt(String text, boolean whole) {}

    static BodyHandler<Excerpt> excerpt(int most) {
        return response -> new Beginning(most);
    }

    /** What follows the prefix on the first line that begins with it. */
    static BodyHandler<Optional<String>> lineWith(String prefix) {
        return response -> new Line(prefix);
    }

    /** Ends the subscription as soon as it knows enough. */
    private abstract static class Reader<T> implements BodySubscriber<T> {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private @Nullable Subscription subscription;

        /** @return whether this was enough */
        abstract boolean read(byte next);

        abstract T read(boolean ended);

        @Override
        public CompletionStage<T> getBody() {
            return result;
        }

        @Override
        public void onSubscribe(Subscription begun) {
            subscription = begun;
            begun.request(1);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            if (result.isDone() || subscription == null) {
                return;
            }
            for (ByteBuffer part : parts) {
                while (part.hasRemaining()) {
                    if (read(part.get())) {
                        subscription.cancel();
                        result.complete(read(false));
                        return;
                    }
                }
            }
            subscription.request(1);
        }

        @Override
        public void onError(Throwable cause) {
            result.completeExceptionally(cause);
        }

        @Override
        public void onComplete() {
            result.complete(read(true));
        }
    }

    private static final class Beginning extends Reader<Excerpt> {
        private final byte[] kept;
        private int length;

        Beginning(int most) {
            this.kept = new byte[most];
        }

        @Override
        boolean read(byte next) {
            if (length == kept.length) {
                return true;
            }
            kept[length++] = next;
            return false;
        }

        @Override
        Excerpt read(boolean ended) {
            return new Excerpt(new String(kept, 0, length, StandardCharsets.UTF_8), ended);
        }
    }

    private static final class Line extends Reader<Optional<String>> {
        private final String prefix;
        private final byte[] line = new byte[LONGEST_LINE];
        private int length;
        private long seen;

        Line(String prefix) {
            this.prefix = prefix;
        }

        @Override
        boolean read(byte next) {
            if (next == '\n') {
                if (found().isPresent()) {
                    return true;
                }
                length = 0;
            } else if (length < line.length) {
                line[length++] = next;
            }
            return ++seen >= LONGEST_PAGE;
        }

        private Optional<String> found() {
            String text = new String(line, 0, length, StandardCharsets.UTF_8);
            return text.startsWith(prefix)
                    ? Optional.of(text.substring(prefix.length()).strip())
                    : Optional.empty();
        }

        @Override
        Optional<String> read(boolean ended) {
            return found();
        }
    }
}
