package etcdoperator.domain;

import org.jspecify.annotations.Nullable;

/** Whether somebody is reached with TLS. */
public enum Scheme {
    HTTP("http"),
    HTTPS("https");

    private final String word;

    Scheme(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** @param word as {@link #word}; plaintext where absent */
    public static Scheme named(@Nullable String word) {
        return HTTPS.word.equals(word) ? HTTPS : HTTP;
    }

    public static Scheme of(String url) {
        return url.startsWith(HTTPS.word + ":") ? HTTPS : HTTP;
    }
}
