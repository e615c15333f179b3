package etcdoperator.e2e;

import static etcdoperator.e2e.Testbed.KUBE;

import etcdoperator.e2e.proto.WatchResponse;
import etcdoperator.etcd.grpc.proto.AuthGrpc;
import etcdoperator.etcd.grpc.proto.AuthenticateRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A user of etcd whose password is in a Secret, which is read each time: it may be another one by now. */
record Login(String user, String namespace, String secret) {
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    private static final Set<Status.Code> SILENCE = Set.of(Status.Code.DEADLINE_EXCEEDED, Status.Code.UNAVAILABLE);

    String password() {
        String encoded = KUBE.secrets()
                .inNamespace(namespace)
                .withName(secret)
                .require()
                .getData()
                .get("password");
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    /** What one connection says of itself; it says it anew once a member has forgotten it. */
    ClientInterceptor session() {
        return new Session();
    }

    private final class Session implements ClientInterceptor {
        private volatile @Nullable String token;

        @Override
        public <A, B> ClientCall<A, B> interceptCall(MethodDescriptor<A, B> method, CallOptions options, Channel next) {
            if (token == null) {
                token = logIn(next);
            }
            String now = token;
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<B> listener, Metadata headers) {
                    if (now != null) {
                        headers.put(TOKEN, now);
                    }
                    super.start(new Doubt<>(listener), headers);
                }
            };
        }

        /** Nothing where nobody is asked, or nobody answers: then the call itself tells. */
        private @Nullable String logIn(Channel channel) {
            try {
                return AuthGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(5, TimeUnit.SECONDS)
                        .authenticate(AuthenticateRequest.newBuilder()
                                .setName(user)
                                .setPassword(password())
                                .build())
                        .getToken();
            } catch (StatusRuntimeException e) {
                return null;
            }
        }

        /** A refusal may be the token's fault; silence is not, and to log in costs etcd more than anything else. */
        private final class Doubt<B> extends SimpleForwardingClientCallListener<B> {
            Doubt(ClientCall.Listener<B> listener) {
                super(listener);
            }

            @Override
            public void onMessage(B message) {
                if (message instanceof WatchResponse response && response.getCanceled()) {
                    token = null;
                }
                super.onMessage(message);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
                if (!status.isOk() && !SILENCE.contains(status.getCode())) {
                    token = null;
                }
                super.onClose(status, trailers);
            }
        }
    }
}
