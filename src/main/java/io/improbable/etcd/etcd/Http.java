package io.improbable.etcd.etcd;

import io.improbable.etcd.etcd.EtcdException.Kind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.Executors;

/** For the little that members tell only in HTTP. */
final class Http {
    private Http() {}

    /** Threads and selectors only for those who ever ask. */
    private static final class Lazily {
        static final HttpClient CLIENT = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    static HttpResponse<String> get(String what, URI uri, Duration deadline) throws EtcdException {
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(deadline).build();
        try {
            return Lazily.CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (HttpTimeoutException e) {
            throw new EtcdException(Kind.NO_ANSWER, what + ": no answer in time", e);
        } catch (IOException e) {
            throw new EtcdException(Kind.NO_ANSWER, what + ": no connection", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EtcdException(Kind.NO_ANSWER, what + ": interrupted", e);
        }
    }
}
