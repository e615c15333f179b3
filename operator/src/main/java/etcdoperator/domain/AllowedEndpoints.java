package etcdoperator.domain;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The endpoints of object stores to which credentials may be sent, besides those of the providers: a setting of the
 * operator, because users choose the endpoint and the identity of a pod or a Secret may be more than they can read.
 */
public record AllowedEndpoints(List<Allowed> patterns) {
    /** What users may name if the setting is absent: every server that proves its name. */
    public static final String USUAL = "https://*";

    private static final String NONE = "none";
    private static final String HTTPS = "https";
    private static final Pattern PATTERN =
            Pattern.compile("(https?)://(\\*|(?:\\*\\.)?[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+])(?::(\\d{1,5}))?");

    public AllowedEndpoints {
        patterns = List.copyOf(patterns);
    }

    /** @param port 0 for any */
    public record Allowed(String scheme, String host, int port) {
        private boolean covers(URI endpoint) {
            return scheme.equals(endpoint.getScheme())
                    && coversHost(endpoint)
                    && (port == 0 || port == portOf(endpoint));
        }

        private boolean coversHost(URI endpoint) {
            String name = endpoint.getHost().toLowerCase(Locale.ROOT);
            return host.equals("*") || (host.startsWith("*.") ? name.endsWith(host.substring(1)) : name.equals(host));
        }

        private static int portOf(URI endpoint) {
            if (endpoint.getPort() > 0) {
                return endpoint.getPort();
            }
            return endpoint.getScheme().equals(HTTPS) ? 443 : 80;
        }

        private String text() {
            return scheme + "://" + host + (port == 0 ? "" : ":" + port);
        }
    }

    /** The object stores whose own endpoints are always allowed, by the scheme of a bucket's URL. */
    private enum Provider {
        AMAZON(
                "s3",
                "Amazon S3",
                "(?:[a-z0-9.-]+\\.)?s3(?:-fips|-accelerate)?(?:\\.dualstack)?(?:[.-][a-z]{2,4}(?:-[a-z]+)+-\\d+)?(?:\\.vpce)?"
                        + "\\.amazonaws\\.(?:com|com\\.cn|eu)"),
        GOOGLE("gs", "Google Cloud Storage", "(?:[a-z0-9.-]+\\.)?googleapis\\.com"),
        AZURE(
                "azblob",
                "Azure Blob Storage",
                "[a-z0-9-]+(?:\\.z\\d{1,3})?\\.blob\\.(?:core\\.windows\\.net|core\\.chinacloudapi\\.cn"
                        + "|core\\.usgovcloudapi\\.net|storage\\.azure\\.net)");

        private final String scheme;
        private final String words;
        private final Pattern hosts;

        Provider(String scheme, String words, String hosts) {
            this.scheme = scheme;
            this.words = words;
            this.hosts = Pattern.compile(hosts);
        }

        /** Encrypted, for anybody else could answer otherwise. */
        private boolean owns(URI endpoint) {
            return HTTPS.equals(endpoint.getScheme())
                    && hosts.matcher(endpoint.getHost().toLowerCase(Locale.ROOT))
                            .matches();
        }

        private static Optional<Provider> of(String bucketUrl) {
            return Arrays.stream(values())
                    .filter(known -> bucketUrl.startsWith(known.scheme + "://"))
                    .findFirst();
        }
    }

    /**
     * @param text patterns such as https://*.example.com, with commas in between; or none
     * @throws IllegalArgumentException in words for administrators
     */
    public static AllowedEndpoints parse(String text) {
        return new AllowedEndpoints(
                text.strip().equals(NONE)
                        ? List.of()
                        : Arrays.stream(text.split(","))
                                .map(String::strip)
                                .map(AllowedEndpoints::pattern)
                                .toList());
    }

    private static Allowed pattern(String text) {
        var matcher = PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'%s' cannot be an allowed endpoint: write https://HOST, https://*.DOMAIN or https://*, with http instead of https if plaintext is allowed, and :PORT if only one port is"
                            .formatted(text));
        }
        return new Allowed(
                matcher.group(1),
                matcher.group(2).toLowerCase(Locale.ROOT),
                matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3)));
    }

    /**
     * @param endpoint as users wrote it; empty for the provider's own
     * @param podIdentity whether the agent logs in as its pod, without a Secret
     * @return why no credentials may be sent there, in words for users
     */
    public Optional<String> obstacle(String bucketUrl, Optional<String> endpoint, boolean podIdentity) {
        return endpoint.flatMap(text -> url(text)
                .map(url -> obstacle(bucketUrl, text, url, podIdentity))
                .orElseGet(() -> Optional.of(
                        "The bucket's endpoint is not a URL; write one such as https://s3.example.com:9000")));
    }

    private Optional<String> obstacle(String bucketUrl, String text, URI endpoint, boolean podIdentity) {
        Optional<Provider> provider = Provider.of(bucketUrl);
        if (provider.filter(known -> known.owns(endpoint)).isPresent()) {
            return Optional.empty();
        }
        if (podIdentity) {
            return Optional.of(
                    "Endpoint %s is not one of %s, and bucket %s has no credentials: the identity of a pod is sent only to its own provider, and only by https. Put credentials for this store into a Secret and name it in the bucket's credentials"
                            .formatted(text, provider.map(known -> known.words).orElse("a provider"), bucketUrl));
        }
        if (patterns.stream().anyMatch(allowed -> allowed.covers(endpoint))) {
            return Optional.empty();
        }
        return Optional.of(
                "http".equals(endpoint.getScheme())
                        ? "Endpoint %s is not encrypted, and this installation of the operator does not allow it (it allows %s): use https, or ask the administrators of the operator to add it to stores.allowedEndpoints of its chart"
                                .formatted(text, words())
                        : "Endpoint %s is not one that this installation of the operator allows (it allows %s): use one of these, or ask the administrators of the operator to add it to stores.allowedEndpoints of its chart"
                                .formatted(text, words()));
    }

    private String words() {
        return patterns.isEmpty() ? "only those of the providers" : text();
    }

    private static Optional<URI> url(String text) {
        try {
            URI url = URI.create(text);
            boolean http = "http".equals(url.getScheme()) || HTTPS.equals(url.getScheme());
            return http && url.getHost() != null ? Optional.of(url) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** As {@link #parse} reads it. */
    public String text() {
        return patterns.isEmpty() ? NONE : patterns.stream().map(Allowed::text).collect(Collectors.joining(","));
    }
}
