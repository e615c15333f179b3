package etcdoperator.domain;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.regex.Pattern;

/** The order of what follows the numbers of a version, as semver.org has it. */
final class Prerelease {
    static final Comparator<String> ORDER = Prerelease::compare;

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private Prerelease() {}

    private static int compare(String one, String other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Boolean.compare(one.isEmpty(), other.isEmpty());
        }
        String[] ones = one.split("[.]", -1);
        String[] others = other.split("[.]", -1);
        for (int i = 0; i < Math.min(ones.length, others.length); i++) {
            int order = compareParts(ones[i], others[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(ones.length, others.length);
    }

    /** Numbers as numbers, and before words. */
    private static int compareParts(String one, String other) {
        boolean number = NUMBER.matcher(one).matches();
        if (number != NUMBER.matcher(other).matches()) {
            return number ? -1 : 1;
        }
        return number ? new BigInteger(one).compareTo(new BigInteger(other)) : one.compareTo(other);
    }
}
