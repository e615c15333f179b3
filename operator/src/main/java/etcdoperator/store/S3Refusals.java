package etcdoperator.store;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** What S3's errors mean to us. */
final class S3Refusals {
    /** Some of them come with a status that says something else. */
    private static final Set<String> NOT_US = Set.of(
            "AccessDenied",
            "AuthorizationHeaderMalformed",
            "ExpiredToken",
            "InvalidAccessKeyId",
            "InvalidToken",
            "RequestTimeTooSkewed",
            "SignatureDoesNotMatch");

    private static final Set<String> NOT_NOW = Set.of("RequestTimeout", "SlowDown", "OperationAborted", "Throttling");

    private S3Refusals() {}

    static StoreException translated(SdkException thrown, Errand errand) {
        if (thrown instanceof AwsServiceException answer) {
            return translated(answer.statusCode(), code(answer), errand);
        }
        // The library has no type for it.
        if (String.valueOf(thrown.getMessage()).contains("Unable to load credentials")) {
            return errand.denied(
                    "the pod has no identity at Amazon: give it a service account with a role, or the bucket"
                            + " credentials; the identity of its node is not used");
        }
        return errand.unreachable(Errand.rootOf(thrown));
    }

    static boolean isMissing(AwsServiceException answer) {
        return answer.statusCode() == 404;
    }

    /** Whether it is the bucket. An answer without a body, as to a HEAD, never says so. */
    static boolean isNoBucket(AwsServiceException answer) {
        return code(answer).equals("NoSuchBucket");
    }

    static boolean isNoUpload(AwsServiceException answer) {
        return code(answer).equals("NoSuchUpload");
    }

    /** The codes for it differ, and some are for much else, too; but all name the header that they miss. */
    static boolean isForWantOfChecksum(AwsServiceException answer) {
        return answer.statusCode() == 400
                        && (code(answer) + answer.getMessage())
                                .toLowerCase(Locale.ROOT)
                                .contains("content-md5")
                || code(answer).equals("MissingContentMD5");
    }

    private static StoreException translated(int status, String code, Errand errand) {
        if (NOT_US.contains(code) || status == 401 || status == 403) {
            return errand.denied(code);
        }
        if (code.equals("NoSuchBucket")) {
            return errand.noBucket();
        }
        if (code.equals("NoSuchUpload")) {
            return errand.endedByAnother();
        }
        if (status == 404) {
            return errand.notFound();
        }
        if (status == 412) {
            return errand.replaced();
        }
        if (status == 301 || status == 307) {
            return errand.broken("the bucket is in another region: set the field region");
        }
        return NOT_NOW.contains(code) || status >= 500 || status == 408 || status == 429
                ? errand.unreachable(code)
                : errand.refused(code);
    }

    private static String code(AwsServiceException answer) {
        return Optional.ofNullable(answer.awsErrorDetails())
                .map(AwsErrorDetails::errorCode)
                .orElse("HTTP " + answer.statusCode());
    }
}
