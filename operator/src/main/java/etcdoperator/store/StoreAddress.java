package etcdoperator.store;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a bucket is.
 *
 * @param prefix of all paths, without slashes at its ends; empty for the whole bucket
 * @param endpoint of a compatible store; the provider's own if it is not given
 * @param pathStyle whether the bucket is named in the path of a URL instead of its host; only for S3
 */
public record StoreAddress(
        Provider provider,
        String bucket,
        String prefix,
        Optional<URI> endpoint,
        Optional<String> region,
        boolean pathStyle) {
    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,221}");
    private static final Pattern REGION = Pattern.compile("[A-Za-z0-9-]{1,63}");

    /** Whose language the store speaks. */
    public enum Provider {
        S3("s3"),
        GOOGLE("gs"),
        AZURE("azblob");

        private final String scheme;

        Provider(String scheme) {
            this.scheme = scheme;
        }
    }

    /**
     * As the fields of a bucket in our API have it. Messages never repeat a URL, for people put passwords into URLs.
     *
     * @param pathStyle if it is not said: yes for an endpoint, for few compatible stores have a host name for each bucket
     * @throws IllegalArgumentException in words for users
     */
    public static StoreAddress parse(
            String bucketUrl, @Nullable String endpoint, @Nullable String region, @Nullable Boolean pathStyle) {
        int colon = bucketUrl.indexOf("://");
        Provider provider = Arrays.stream(Provider.values())
                .filter(known -> colon >= 0 && known.scheme.equals(bucketUrl.substring(0, colon)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("bucketURL must begin with " + schemes()));
        String rest = bucketUrl.substring(colon + 3);
        if (rest.contains("@")) {
            throw new IllegalArgumentException("bucketURL has an @: credentials belong into a Secret");
        }
        if (rest.contains("?") || rest.contains("#")) {
            throw new IllegalArgumentException(
                    "bucketURL takes no options: use the fields endpoint, region and pathStyle");
        }
        int slash = rest.indexOf('/');
        String bucket = slash < 0 ? rest : rest.substring(0, slash);
        if (!BUCKET.matcher(bucket).matches()) {
            throw new IllegalArgumentException("bucketURL must name a bucket after ://, with letters, digits, dots,"
                    + " hyphens and underscores; '" + bucket + "' is none");
        }
        if (region != null && !REGION.matcher(region).matches()) {
            throw new IllegalArgumentException("region must be a name such as eu-west-1");
        }
        Optional<URI> url = Optional.ofNullable(endpoint).map(StoreAddress::endpoint);
        return new StoreAddress(
                provider,
                bucket,
                prefix(slash < 0 ? "" : rest.substring(slash + 1)),
                url,
                Optional.ofNullable(region),
                pathStyle == null ? url.isPresent() : pathStyle);
    }

    /** The bucket alone, as users know it. */
    public String bucketUrl() {
        return provider.scheme + "://" + bucket;
    }

    /** What an object is called outside of this store. */
    public String objectUrl(String path) {
        return bucketUrl() + "/" + Place.of(this).key(path);
    }

    private static String schemes() {
        return Arrays.stream(Provider.values())
                .map(provider -> provider.scheme + "://")
                .collect(Collectors.joining(", "));
    }

    private static String prefix(String path) {
        String prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        String flaw = prefix.isEmpty() ? "" : Place.flaw(prefix);
        if (!flaw.isEmpty()) {
            throw new IllegalArgumentException("bucketURL has a path that cannot be used: " + flaw);
        }
        return prefix;
    }

    private static URI endpoint(String text) {
        try {
            URI url = new URI(text);
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (!http || url.getHost() == null) {
                throw new IllegalArgumentException("endpoint must be a URL such as https://s3.example.com:9000");
            }
            if (url.getUserInfo() != null || url.getQuery() != null || url.getFragment() != null) {
                throw new IllegalArgumentException("endpoint must be a URL without user, ? and #");
            }
            return text.endsWith("/") ? new URI(text.substring(0, text.length() - 1)) : url;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("endpoint must be a URL such as https://s3.example.com:9000");
        }
    }
}
