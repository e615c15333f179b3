package etcdoperator.kube;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often each thing was told of: members added, promoted, removed, and whatever else has an Event. */
public final class Tally {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    public void count(Notice notice) {
        counts.computeIfAbsent(notice.reason(), reason -> new LongAdder()).increment();
    }

    public Set<String> reasons() {
        return Set.copyOf(counts.keySet());
    }

    public long of(String reason) {
        LongAdder count = counts.get(reason);
        return count == null ? 0 : count.sum();
    }
}
