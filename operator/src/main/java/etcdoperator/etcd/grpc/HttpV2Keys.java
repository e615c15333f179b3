package etcdoperator.etcd.grpc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.V2Keys;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks for the root of etcd 2's keys. Hidden keys, whose names begin with an underscore, are not listed there. */
public final class HttpV2Keys implements V2Keys {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A root that takes more has keys in it. */
    private static final int LONGEST_EMPTY_ROOT = 16 * 1024;

    @Override
    public boolean existAt(Endpoint member, Duration deadline) throws EtcdException {
        HttpResponse<Bounded.Excerpt> answer =
                Http.get("v2 keys", member, "/v2/keys/", Bounded.excerpt(LONGEST_EMPTY_ROOT), deadline);
        return switch (answer.statusCode()) {
            case 200 -> !answer.body().whole() || !isEmpty(answer.body().text());
            case 404 -> false;
            default -> throw new EtcdException(Kind.NO_ANSWER, "v2 keys: HTTP " + answer.statusCode());
        };
    }

    private static boolean isEmpty(String root) throws EtcdException {
        try {
            return JSON.readTree(root).path("node").path("nodes").isEmpty();
        } catch (JsonProcessingException e) {
            throw new EtcdException(Kind.REFUSED, "v2 keys: not an answer of etcd", e);
        }
    }
}
