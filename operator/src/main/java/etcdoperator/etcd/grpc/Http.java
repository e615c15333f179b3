package etcdoperator.etcd.grpc;

import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.TlsMaterial;
import etcdoperator.tls.MutualTls;
import etcdoperator.tls.PemPair;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** For the little that members tell only in HTTP. */
final class Http {
    private Http() {}

    /** Threads and selectors only for those who ever ask. */
    private static final class Lazily {
        static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();
        static final HttpClient PLAIN = builder().build();
    }

    private static HttpClient.Builder builder() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(Lazily.THREADS);
    }

    static <T> HttpResponse<T> get(String what, URI uri, BodyHandler<T> body, Duration deadline) throws EtcdException {
        return get(Lazily.PLAIN, what, uri, body, deadline);
    }

    /** As the gRPC client would ask there: with the same certificate, and only one who has the right name. */
    static <T> HttpResponse<T> get(
            String what, Endpoint member, String path, BodyHandler<T> body, Duration deadline) throws EtcdException {
        URI uri = member.url().resolve(path);
        if (member.tls().isEmpty()) {
            return get(what, uri, body, deadline);
        }
        // Too seldom to be worth being kept, and certificates are renewed.
        HttpClient client =
                builder().sslContext(context(member, member.tls().get())).build();
        try {
            return get(client, what, uri, body, deadline);
        } finally {
            client.shutdownNow();
        }
    }

    private static SSLContext context(Endpoint member, TlsMaterial tls) {
        return MutualTls.context(
                new PemPair(tls.certificateChain(), tls.privateKey()), tls.trustedCertificates(), member.name());
    }

    /** The deadline is for the body, too: the client's own is met by a member that sends a byte now and then. */
    private static <T> HttpResponse<T> get(
            HttpClient client, String what, URI uri, BodyHandler<T> body, Duration deadline) throws EtcdException {
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(deadline).build();
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, body);
        try {
            return answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new EtcdException(Kind.NO_ANSWER, what + ": no answer in time", e);
        } catch (ExecutionException e) {
            throw failure(what, e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EtcdException(Kind.NO_ANSWER, what + ": interrupted", e);
        } finally {
            answer.cancel(true);
        }
    }

    private static EtcdException failure(String what, Throwable cause) {
        return switch (cause) {
            case HttpTimeoutException e -> new EtcdException(Kind.NO_ANSWER, what + ": no answer in time", e);
            case SSLException e -> new EtcdException(Kind.NO_ANSWER, what + ": no TLS: " + e.getMessage(), e);
            default -> new EtcdException(Kind.NO_ANSWER, what + ": no connection", cause);
        };
    }
}
