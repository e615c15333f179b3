package etcdoperator.etcd.grpc;

import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;

/** What to make of a call that failed. */
final class Refusals {
    static final String LEASE_NOT_FOUND = "requested lease not found";
    static final String COMPACTED = "required revision has been compacted";
    static final String WRONG_DOWNGRADE_TARGET = "invalid downgrade target version";
    static final String DOWNGRADE_IN_PROGRESS = "downgrade job in progress";
    static final String NO_DOWNGRADE = "no inflight downgrade job";
    static final String AUTH_NOT_ENABLED = "authentication is not enabled";
    static final String WRONG_PASSWORD = "invalid user ID or password";
    static final String PASSWORDLESS = "no password user";
    static final String USER_THERE = "user name already exists";
    static final String NO_USER = "user name not found";
    static final String ROLE_THERE = "role name already exists";
    static final String NO_ROLE = "role name not found";
    static final String NO_SUCH_ROLE_OF_USER = "role is not granted to the user";
    static final String NO_SUCH_PERMISSION = "permission is not granted to the role";

    static final String NOT_FOR_LEARNERS = "rpc not supported for learner";

    /** What 3.4 and 3.5 say to whoever shows a certificate with a name that is no user's. Later lines say as above. */
    private static final String UNKNOWN_NAME = "auth: user not found";

    /** What etcd says while its leader has not been connected to every voter for five seconds. */
    private static final String UNHEALTHY = "unhealthy cluster";

    private static final Set<String> ABOUT_USERS =
            Set.of("user get", "user delete", "change password", "grant role", "revoke role");

    private static final String NOBODY = "user name is empty";
    private static final String INVALID_TOKEN = "invalid auth token";
    private static final String OLD_REVISION = "revision of auth store is old";
    private static final String DENIED = "permission denied";

    /** What etcd of all lines says to a call that it will accept a little later. */
    private static final List<String> NOT_YET = List.of(
            UNHEALTHY,
            "not enough started members",
            "in sync with leader",
            "too many learner members",
            "not leader",
            "leader changed",
            "leader transferee",
            "too many requests",
            "is a future revision",
            "cluster version not found",
            INVALID_TOKEN,
            OLD_REVISION);

    private Refusals() {}

    /** @param credentials with which it was asked */
    static EtcdException of(String what, StatusRuntimeException e, Optional<Credentials> credentials) {
        return accessTrouble(what, e, credentials)
                .map(words -> new EtcdException(Kind.NO_ACCESS, what + ": " + words, e))
                .orElseGet(() -> new EtcdException(kind(e), what + ": " + sentence(e), e));
    }

    static boolean says(EtcdException e, String words) {
        return e.why().contains(words);
    }

    static boolean says(StatusRuntimeException e, String words) {
        return String.valueOf(e.getStatus().getDescription()).contains(words);
    }

    /**
     * Whether the same call could go through with another token. A member that knows us by our certificate denies what
     * that user may not do, or says that it knows nobody of that name; neither says anything until we have said who we
     * are.
     */
    static boolean wantsToken(StatusRuntimeException e, boolean hadOne) {
        boolean unheard = says(e, DENIED) || says(e, UNKNOWN_NAME) || says(e, NO_USER);
        return says(e, NOBODY) || says(e, INVALID_TOKEN) || says(e, OLD_REVISION) || (!hadOne && unheard);
    }

    /** etcd says the same of a user that it does not have. */
    static boolean isWrongPassword(StatusRuntimeException e) {
        return says(e, WRONG_PASSWORD) || says(e, PASSWORDLESS);
    }

    private static Optional<String> accessTrouble(
            String what, StatusRuntimeException e, Optional<Credentials> credentials) {
        String user = credentials.map(Credentials::users).orElse("nobody");
        if (says(e, NOBODY)) {
            return Optional.of("etcd asks for a user and a password, and there are none to give");
        }
        if (says(e, UNKNOWN_NAME) || (says(e, NO_USER) && !ABOUT_USERS.contains(what))) {
            return Optional.of("etcd asks for a user and a password, and has no user of the name in our certificate");
        }
        if (isWrongPassword(e)) {
            return Optional.of("etcd does not take the password of user " + user + ", or has no such user");
        }
        if (says(e, DENIED) || e.getStatus().getCode() == Status.Code.PERMISSION_DENIED) {
            return Optional.of("etcd does not allow this to user " + user);
        }
        return Optional.empty();
    }

    /** By etcd's own words: its codes are the same for what passes by itself and for what never will. */
    private static Kind kind(StatusRuntimeException e) {
        if (NOT_YET.stream().anyMatch(words -> says(e, words))) {
            return Kind.NOT_YET;
        }
        return switch (e.getStatus().getCode()) {
            case INVALID_ARGUMENT,
                    FAILED_PRECONDITION,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    UNIMPLEMENTED,
                    PERMISSION_DENIED,
                    OUT_OF_RANGE,
                    RESOURCE_EXHAUSTED,
                    DATA_LOSS -> Kind.REFUSED;
            default -> Kind.NO_ANSWER;
        };
    }

    private static String sentence(StatusRuntimeException e) {
        if (says(e, UNHEALTHY)) {
            return "etcd refuses it while its leader has not been connected to every voter for 5s (%s); the operator tries again, and moves leadership if the leader is wrong about a voter that is healthy"
                    .formatted(e.getStatus().getDescription());
        }
        if (kind(e) == Kind.NOT_YET) {
            // Its code is often that of a lost connection.
            return "etcd refuses it for now (%s)".formatted(e.getStatus().getDescription());
        }
        return switch (e.getStatus().getCode()) {
            case DEADLINE_EXCEEDED -> "no answer in time";
            case UNAVAILABLE ->
                mistrust(e).map(why -> "no TLS connection: " + why).orElse("no connection");
            default -> e.getStatus().getCode() + " " + e.getStatus().getDescription();
        };
    }

    /** What the other side's certificate lacks, or ours to them, as far as Java tells. */
    private static Optional<String> mistrust(StatusRuntimeException e) {
        Optional<String> why = Optional.empty();
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof GeneralSecurityException || cause instanceof SSLException) {
                why = Optional.of(String.valueOf(cause.getMessage()));
            }
        }
        return why;
    }
}
