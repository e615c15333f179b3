package etcdoperator.exploration;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What happens in a run, all of it: {@code REPLACE/3@14.2:DISK_LOST(leader)@20.0:PARTITION(follower)}. */
record RunName(Case begin, List<Injection> injections) {

    static RunName of(Case begin) {
        return new RunName(begin, List.of());
    }

    RunName and(Injection next) {
        List<Injection> all = new ArrayList<>(injections);
        all.add(next);
        return new RunName(begin, List.copyOf(all));
    }

    static RunName parse(String text) {
        String[] parts = text.split("@");
        return new RunName(
                Case.parse(parts[0]),
                Stream.of(parts).skip(1).map(Injection::parse).toList());
    }

    @Override
    public String toString() {
        return begin + injections.stream().map(injection -> "@" + injection).collect(Collectors.joining());
    }
}
