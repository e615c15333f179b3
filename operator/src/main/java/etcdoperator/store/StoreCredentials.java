package etcdoperator.store;

import java.util.Optional;

/** How to log in to a store. None of them prints what is secret. */
public sealed interface StoreCredentials {
    /** Of AWS and all that is compatible with S3. */
    record AccessKey(String id, String secret, Optional<String> sessionToken) implements StoreCredentials {
        @Override
        public String toString() {
            return "AccessKey[...]";
        }
    }

    /** @param json the key file of a service account of Google Cloud */
    record GoogleKey(String json) implements StoreCredentials {
        @Override
        public String toString() {
            return "GoogleKey[...]";
        }
    }

    /** @param key in Base64, as Azure shows it */
    record AzureKey(String account, String key) implements StoreCredentials {
        @Override
        public String toString() {
            return "AzureKey[account=" + account + "]";
        }
    }

    /** @param token a shared access signature, with or without its question mark */
    record AzureSignature(String account, String token) implements StoreCredentials {
        @Override
        public String toString() {
            return "AzureSignature[account=" + account + "]";
        }
    }

    /** What the provider gives to the pod or its node, without a Secret. */
    record PodIdentity() implements StoreCredentials {}
}
