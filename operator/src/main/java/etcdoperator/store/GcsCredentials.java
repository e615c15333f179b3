package etcdoperator.store;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.ServiceAccountCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Whom Google takes us for. */
final class GcsCredentials {
    private static final String SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";

    /** None for the pod's own, which are looked for when they are first needed. */
    private volatile @Nullable GoogleCredentials known;

    private GcsCredentials(@Nullable GoogleCredentials known) {
        this.known = known;
    }

    static GcsCredentials of(StoreCredentials credentials) {
        return switch (credentials) {
            case StoreCredentials.GoogleKey key -> new GcsCredentials(read(key));
            case StoreCredentials.PodIdentity pod -> new GcsCredentials(null);
            case StoreCredentials.AccessKey aws -> throw unfit();
            case StoreCredentials.AzureKey azure -> throw unfit();
            case StoreCredentials.AzureSignature azure -> throw unfit();
        };
    }

    /** Asked for anew only when it is about to end. */
    String token(Errand errand) throws StoreException {
        try {
            GoogleCredentials credentials = credentials(errand);
            credentials.refreshIfExpired();
            AccessToken token = credentials.getAccessToken();
            if (token == null) {
                throw errand.denied("Google gives no token");
            }
            return token.getTokenValue();
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            // Messages may quote the key; whether another try may help is all that is told.
            boolean mayPass = e instanceof com.google.auth.Retryable failed
                    ? failed.isRetryable()
                    : !(e instanceof com.google.api.client.http.HttpResponseException);
            throw mayPass
                    ? errand.unreachable("no token from Google: " + e.getClass().getSimpleName())
                    : errand.denied("Google gives no token for this key");
        }
    }

    private GoogleCredentials credentials(Errand errand) throws StoreException {
        GoogleCredentials found = known;
        if (found == null) {
            found = GooglePodIdentity.ofThisPod().find(errand).createScoped(SCOPE);
            known = found;
        }
        return found;
    }

    /** Only a service account's key: other kinds of file can name programs to run and addresses to ask. */
    private static GoogleCredentials read(StoreCredentials.GoogleKey key) {
        try {
            return ServiceAccountCredentials.fromStream(
                            new ByteArrayInputStream(key.json().getBytes(StandardCharsets.UTF_8)))
                    .createScoped(SCOPE);
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "the Google Cloud credentials are no key file of a service account: put the whole JSON file, as"
                            + " Google gave it, into the Secret");
        }
    }

    private static IllegalArgumentException unfit() {
        return new IllegalArgumentException(
                "a gs:// bucket takes credentials of the kind googleCloud, or the pod's own");
    }
}
