package etcdoperator.tls;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names and addresses as certificates carry and clients compare them. */
public final class Names {
    /** Java knows shorter forms, and interfaces behind a %: nobody else does. */
    private static final Pattern IN_USE = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+|[0-9A-Fa-f.]*:[0-9A-Fa-f.:]*");

    private Names() {}

    /** The address in the form that is compared; empty if it is not one. Asks no resolver. */
    public static Optional<String> address(String text) {
        if (!IN_USE.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(text).getHostAddress());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static String dnsName(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /** As Go does it, and so etcd and its clients: a star stands for the whole first label and no more. */
    static boolean covers(String pattern, String name) {
        String of = dnsName(pattern);
        String wanted = dnsName(name);
        return of.equals(wanted)
                || of.startsWith("*.") && behindFirstLabel(wanted).equals(of.substring(1));
    }

    private static String behindFirstLabel(String name) {
        int dot = name.indexOf('.');
        return dot <= 0 ? "" : name.substring(dot);
    }
}
