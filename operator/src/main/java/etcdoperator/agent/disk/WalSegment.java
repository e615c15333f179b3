package etcdoperator.agent.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file of a member's log.
 *
 * @param number they are written in this order, without a gap
 * @param index of the first entry that was to go into it
 */
record WalSegment(Path file, long number, long index) {
    private static final Pattern NAME = Pattern.compile("([0-9a-f]{16})-([0-9a-f]{16})\\.wal");

    /** In order; what has another name is being made, or was put aside. */
    static List<WalSegment> in(Path folder) throws IOException {
        List<WalSegment> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> named(file).ifPresent(found::add));
        }
        found.sort(Comparator.comparingLong(WalSegment::number));
        if (found.isEmpty()) {
            throw new UnusableDiskException("has no log");
        }
        for (int i = 1; i < found.size(); i++) {
            if (found.get(i).number() != found.get(i - 1).number() + 1) {
                throw new UnusableDiskException(
                        "lacks a file of its log before " + found.get(i).file().getFileName());
            }
        }
        return List.copyOf(found);
    }

    private static Optional<WalSegment> named(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches()
                ? Optional.of(new WalSegment(
                        file, Long.parseUnsignedLong(name.group(1), 16), Long.parseUnsignedLong(name.group(2), 16)))
                : Optional.empty();
    }
}
