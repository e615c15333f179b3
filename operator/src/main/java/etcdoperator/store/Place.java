package etcdoperator.store;

import etcdoperator.store.Errand.Doing;
import java.nio.charset.StandardCharsets;

/**
 * A bucket or a part of it, and how paths in it are called.
 *
 * @param bucket as users know it
 * @param prefix before every path; empty, or ending with a slash
 */
record Place(String bucket, String prefix) {
    /** Of all three providers the least. */
    private static final int LONGEST_PATH = 1024;

    static Place of(StoreAddress address) {
        return new Place(address.bucketUrl(), address.prefix().isEmpty() ? "" : address.prefix() + "/");
    }

    /** The name that the store knows it by. */
    String key(String path) {
        String key = prefix + path;
        String flaw = flaw(key);
        if (!flaw.isEmpty()) {
            throw new IllegalArgumentException("'" + path + "' is no path of an object: " + flaw);
        }
        return key;
    }

    /** For a list, where half a name will do. */
    String keyPrefix(String start) {
        return prefix + start;
    }

    String path(String key) {
        return key.substring(prefix.length());
    }

    Errand errand(Doing doing, String path) {
        String base = bucket.endsWith("/") ? bucket : bucket + "/";
        return new Errand(bucket, base + prefix + path, doing);
    }

    /** What is wrong with a path, in words; empty if it will do everywhere. */
    static String flaw(String path) {
        if (path.isEmpty()) {
            return "it is empty";
        }
        if (path.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) {
            return "it is longer than " + LONGEST_PATH + " bytes";
        }
        if (path.chars().anyMatch(character -> character < ' ' || character == 127 || character == '\\')) {
            return "it has a backslash or a control character";
        }
        for (String step : path.split("/", -1)) {
            if (step.isEmpty()) {
                return "a slash at its start, at its end or after another one";
            }
            // A folder hides what is being written behind a dot.
            if (step.startsWith(".")) {
                return "a name in it begins with a dot";
            }
        }
        return "";
    }
}
