package etcdoperator.store;

import com.azure.core.exception.HttpResponseException;
import com.azure.storage.blob.models.BlobStorageException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** What Azure's errors mean to us. */
final class AzureRefusals {
    private static final Set<String> NO_CONTAINER =
            Set.of("ContainerNotFound", "ContainerBeingDeleted", "ContainerDisabled");

    private AzureRefusals() {}

    static StoreException translated(RuntimeException thrown, Errand errand) {
        return switch (thrown) {
            case AzurePodIdentity.NoToken noToken ->
                noToken.mayPass() ? errand.unreachable(noToken.reason()) : errand.denied(noToken.reason());
            case BlobStorageException answer ->
                translated(answer.getStatusCode(), String.valueOf(answer.getErrorCode()), errand);
            case HttpResponseException answer
            when answer.getResponse() != null -> translated(answer.getResponse().getStatusCode(), "no code", errand);
            default -> {
                if (isOfTheWay(thrown)) {
                    yield errand.unreachable(Errand.rootOf(thrown));
                }
                throw thrown;
            }
        };
    }

    private static StoreException translated(int status, String code, Errand errand) {
        String reason = "HTTP " + status + " " + code;
        if (NO_CONTAINER.contains(code)) {
            return errand.noBucket();
        }
        if (code.equals("BlobAlreadyExists")) {
            return errand.replaced();
        }
        return switch (status) {
            case 401, 403 -> errand.denied(reason);
            case 404 -> errand.notFound();
            case 412 -> errand.replaced();
            case 408, 429 -> errand.unreachable(reason);
            default -> status >= 500 ? errand.unreachable(reason) : errand.refused(reason);
        };
    }

    /** The library wraps them more than once. */
    private static boolean isOfTheWay(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException
                    || cause instanceof TimeoutException
                    || cause instanceof InterruptedException) {
                return true;
            }
        }
        return false;
    }
}
