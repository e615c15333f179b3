package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares what a file names with what came. What it does not name may be anything; {@code none} means absent. Sentences
 * for people are matched by a part of them, so that a better wording does not break sixty files.
 */
final class Expectation {
    private final List<String> differences = new ArrayList<>();

    static List<String> differences(JsonNode expected, JsonNode actual) {
        var expectation = new Expectation();
        expectation.compare("", expected, actual);
        return expectation.differences;
    }

    /** A step means all that it carries, so that all of it must be named. */
    static List<String> differencesOfStep(JsonNode expected, JsonNode actual) {
        List<String> differences = new ArrayList<>(differences(expected, actual));
        actual.fieldNames().forEachRemaining(field -> {
            if (!field.equals("reason") && !expected.has(field)) {
                differences.add("%s: came as %s but is not named".formatted(field, actual.get(field)));
            }
        });
        return differences;
    }

    /** Lines of a list, each {@code WORD WORD sentence} with a part of the sentence or none of it. */
    static List<String> differencesOfLines(JsonNode expected, JsonNode actual) {
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            String wanted = expected.path(i).asText("nothing");
            String came = actual.path(i).asText("nothing");
            if (!wanted.equals(came) && !saysIn(wanted, came)) {
                differences.add("[%d]: expected '%s' but came '%s'".formatted(i, wanted, came));
            }
        }
        return differences;
    }

    private void compare(String path, JsonNode expected, JsonNode actual) {
        if (expected.isObject()) {
            expected.properties()
                    .forEach(field -> compare(
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(),
                            field.getValue(),
                            actual.path(field.getKey())));
        } else if (expected.isArray()) {
            if (!expected.equals(actual)) {
                differ(path, expected, actual);
            }
        } else if (!matches(path, expected.asText(), actual)) {
            differ(path, expected, actual);
        }
    }

    private static boolean matches(String path, String expected, JsonNode actual) {
        if (expected.equals("none")) {
            return actual.isMissingNode() || actual.isNull() || actual.isEmpty() && actual.isContainerNode();
        }
        if (actual.isMissingNode()) {
            return false;
        }
        if (isCondition(path)) {
            return saysIn(expected, actual.asText());
        }
        return path.endsWith("reason") || path.endsWith("why")
                ? actual.asText().contains(expected)
                : actual.asText().equals(expected);
    }

    /** They alone are written with a capital. */
    private static boolean isCondition(String path) {
        return Character.isUpperCase(path.charAt(0));
    }

    private static boolean saysIn(String expected, String actual) {
        String[] wanted = expected.split(" ", 3);
        String[] came = actual.split(" ", 3);
        return wanted.length > 1
                && came.length > 1
                && wanted[0].equals(came[0])
                && wanted[1].equals(came[1])
                && (wanted.length < 3 || came.length == 3 && came[2].contains(wanted[2]));
    }

    private void differ(String path, JsonNode expected, JsonNode actual) {
        differences.add(
                "%s: expected %s but came %s".formatted(path, expected, actual.isMissingNode() ? "none" : actual));
    }
}
