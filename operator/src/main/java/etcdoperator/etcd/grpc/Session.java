package etcdoperator.etcd.grpc;

import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.grpc.proto.AuthGrpc;
import etcdoperator.etcd.grpc.proto.AuthenticateRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who we are to one member. Nothing is said until the member asks: where authentication is off, credentials cost
 * nothing and nobody sees them. A token lives in the memory of the member, so a restart ends it, as does a change of the
 * password; a call that is refused for want of a good one has done nothing, so it is made again with a new one.
 */
final class Session implements ClientInterceptor {
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    /** etcd takes its time over a password, more so on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Endpoint endpoint;
    private final Optional<Credentials> credentials;
    private volatile @Nullable String token;

    Session(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.credentials = endpoint.credentials();
    }

    @Override
    public <A, B> ClientCall<A, B> interceptCall(MethodDescriptor<A, B> method, CallOptions options, Channel next) {
        String now = token;
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<B> listener, Metadata headers) {
                if (now != null) {
                    headers.put(TOKEN, now);
                }
                super.start(listener, headers);
            }
        };
    }

    /** @param channel without this session, to log in by */
    <T> T ask(String what, Channel channel, Supplier<T> call) throws EtcdException {
        String used = token;
        try {
            return call.get();
        } catch (StatusRuntimeException e) {
            if (credentials.isEmpty() || !Refusals.wantsToken(e, used != null)) {
                throw Refusals.of(what, e, credentials);
            }
        }
        try {
            renew(channel, credentials.get(), used);
            return call.get();
        } catch (StatusRuntimeException e) {
            throw Refusals.of(what, e, credentials);
        }
    }

    /** One at a time: of many calls that were refused at once, the first logs in for all. */
    private synchronized void renew(Channel channel, Credentials us, @Nullable String refused) {
        if (!Objects.equals(token, refused)) {
            return;
        }
        token = null;
        try {
            token = logIn(channel, us);
        } catch (StatusRuntimeException e) {
            if (Refusals.says(e, Refusals.NOT_FOR_LEARNERS) && us.door().isPresent()) {
                token = logInElsewhere(us.door().get(), us);
            } else if (!Refusals.says(e, Refusals.AUTH_NOT_ENABLED)) {
                throw e;
            }
            // Where it has been switched off a moment ago, the call goes through without.
        }
    }

    private String logInElsewhere(URI door, Credentials us) {
        ManagedChannel other = Channels.to(endpoint.at(door));
        try {
            return logIn(other, us);
        } finally {
            other.shutdownNow();
        }
    }

    private static String logIn(Channel channel, Credentials us) {
        try {
            return authenticate(channel, us);
        } catch (StatusRuntimeException e) {
            if (us.otherwise().isEmpty() || !Refusals.isWrongPassword(e)) {
                throw e;
            }
            return logIn(channel, us.otherwise().get());
        }
    }

    private static String authenticate(Channel channel, Credentials us) {
        var request = AuthenticateRequest.newBuilder()
                .setName(us.user())
                .setPassword(us.password())
                .build();
        return AuthGrpc.newBlockingStub(channel)
                .withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .authenticate(request)
                .getToken();
    }
}
