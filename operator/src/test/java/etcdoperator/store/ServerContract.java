package etcdoperator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import etcdoperator.store.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a store must do that is a server, which may be gone and does not trust everybody. */
abstract class ServerContract extends StoreContract {
    ServerStage server() {
        return (ServerStage) stage;
    }

    @Test
    void wrongCredentialsAreNamedAndNotShown() {
        try (Store denied = server().wrongCredentials()) {
            for (ThrowingCallable deed : List.<ThrowingCallable>of(
                    () -> denied.list(""),
                    () -> denied.stat(PATH),
                    () -> denied.open(PATH),
                    () -> denied.delete(PATH),
                    () -> store(denied, PATH, new byte[1]),
                    () -> store(denied, PATH, new byte[2 * PART]))) {
                Throwable thrown = catchThrowable(deed);
                assertThat(thrown).isInstanceOf(StoreException.class);
                assertThat(((StoreException) thrown).kind()).isEqualTo(Kind.DENIED);
                assertThat(thrown).hasMessageContaining("backups").hasMessageContaining("check the credentials");
                assertThat(trace(thrown)).doesNotContain(server().secret());
            }
        }
    }

    @Test
    void aPartIsSentAgainWhenTheServerIsBack() throws IOException {
        byte[] bytes = bytes(7, 3 * PART + 5);
        try (Upload upload = store.begin(PATH)) {
            upload.write(bytes, 0, PART + 1);
            await().atMost(Duration.ofMinutes(1)).until(() -> upload.transferredBytes() == PART);
            server().cutOff();
            upload.write(bytes, PART + 1, PART);
            later(Duration.ofSeconds(2), server()::comeBack);
            upload.write(bytes, 2 * PART + 1, PART + 4);
            upload.complete();
        }
        assertThat(read(PATH)).isEqualTo(bytes);
        assertThat(stage.partsLeft(PATH)).isZero();
    }

    @Test
    void aReadGoesOnWhenTheServerIsBack() throws IOException {
        byte[] bytes = bytes(8, 4 * PART + 5);
        store(PATH, bytes);
        try (InputStream stored = store.open(PATH)) {
            byte[] first = stored.readNBytes(PART / 2);
            assertThat(first).isEqualTo(java.util.Arrays.copyOf(bytes, PART / 2));
            server().cutOff();
            later(Duration.ofSeconds(2), server()::comeBack);
            assertThat(stored.readAllBytes()).isEqualTo(java.util.Arrays.copyOfRange(bytes, PART / 2, bytes.length));
        }
    }

    @Test
    void aReadDoesNotMixTwoObjects() throws IOException {
        store(PATH, bytes(10, 4 * PART));
        try (InputStream stored = store.open(PATH)) {
            stored.readNBytes(10);
            store(PATH, bytes(11, 4 * PART));
            assertThat(kind(stored::readAllBytes)).isEqualTo(Kind.BROKEN);
        }
    }

    @Test
    void whoNeverComesBackIsUnreachable() {
        server().cutOff();
        try (Store hurried = hurried()) {
            assertThat(kind(() -> hurried.stat(PATH))).isEqualTo(Kind.UNREACHABLE);
            assertThat(kind(() -> hurried.list(""))).isEqualTo(Kind.UNREACHABLE);
            assertThat(kind(() -> store(hurried, PATH, new byte[1]))).isEqualTo(Kind.UNREACHABLE);
        }
    }

    /** With no patience. */
    abstract Store hurried();

    static final Patience HURRY =
            new Patience(2, Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofSeconds(20));

    private static void later(Duration wait, Runnable deed) {
        Thread.ofVirtual().start(() -> {
            await().pollDelay(wait).atMost(wait.plusSeconds(5)).until(() -> true);
            deed.run();
        });
    }

    private static String trace(Throwable thrown) {
        var trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }
}
