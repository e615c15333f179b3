package etcdoperator.etcd;

import etcdoperator.domain.PeerName;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Brings about that every member has written a raft snapshot since its process started. An etcd of the next minor must
 * not find entries in the log that an older minor wrote, and a quiet cluster would not write a snapshot for weeks.
 */
public final class RaftSnapshots {
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    /** In a row; one lost answer is noise. */
    private static final int SILENT_LOOKS = 5;

    private static final String INTERRUPTED = "interrupted";

    private final MemberMetrics metrics;

    public RaftSnapshots(MemberMetrics metrics) {
        this.metrics = metrics;
    }

    /** @param metrics where the member's listener for metrics is */
    public record Member(PeerName name, EtcdClient client, URI metrics) {}

    /** @param entries after so many it is given up; a member that lags takes a while longer than its snapshot count */
    public record Limits(Duration time, long entries) {}

    /** What it cost. */
    public record Effort(long entries, Duration took) {
        public long entriesPerSecond() {
            return entries * 1000 / Math.max(1, took.toMillis());
        }
    }

    public sealed interface Result {
        Effort effort();

        record Done(Effort effort) implements Result {}

        /** @param missing who has not written one yet */
        record NotYet(List<PeerName> missing, String why, Effort effort) implements Result {}

        record Failed(String why, Effort effort) implements Result {}
    }

    /** Returns at once when the thread is interrupted, and leaves it so. */
    public Result bringAbout(List<Member> members, Limits limits) {
        long begin = System.nanoTime();
        var looks = new Looks(members);
        looks.look();
        if (looks.missing.isEmpty()) {
            return new Result.Done(new Effort(0, since(begin)));
        }
        try (var crew = new EntryCrew(writer(members), limits.entries())) {
            Optional<Result> result;
            do {
                boolean spent = since(begin).compareTo(limits.time()) > 0 || crew.isSpent();
                boolean interrupted = !crew.await(BETWEEN_LOOKS);
                looks.look();
                var effort = new Effort(crew.entries(), since(begin));
                result = judge(looks, crew, effort, interrupted, spent);
            } while (result.isEmpty());
            return result.get();
        } catch (EtcdException e) {
            var nothing = new Effort(0, since(begin));
            return Thread.currentThread().isInterrupted()
                    ? new Result.NotYet(looks.names(), INTERRUPTED, nothing)
                    : new Result.Failed(e.why(), nothing);
        }
    }

    private static Optional<Result> judge(
            Looks looks, EntryCrew crew, Effort effort, boolean interrupted, boolean spent) {
        if (looks.missing.isEmpty()) {
            return Optional.of(new Result.Done(effort));
        }
        if (interrupted) {
            return Optional.of(new Result.NotYet(looks.names(), INTERRUPTED, effort));
        }
        Optional<String> failure = crew.failure().or(looks::failure);
        if (failure.isPresent()) {
            return Optional.of(new Result.Failed(failure.get(), effort));
        }
        return spent
                ? Optional.of(new Result.NotYet(
                        looks.names(), "not after " + effort.entries() + " entries in " + effort.took(), effort))
                : Optional.empty();
    }

    /** The leader, if one can be found: through anybody else each entry makes one more journey. */
    private static EtcdClient writer(List<Member> members) throws EtcdException {
        EtcdException silence = new EtcdException(EtcdException.Kind.NO_ANSWER, "there is nobody to ask");
        Optional<EtcdClient> any = Optional.empty();
        for (Member member : members) {
            try {
                EtcdClient.MemberStatus status = member.client().status(DEADLINE);
                if (status.leader().equals(status.memberId())) {
                    return member.client();
                }
                any = status.learner() ? any : any.or(() -> Optional.of(member.client()));
            } catch (EtcdException e) {
                silence = e;
            }
        }
        if (any.isEmpty()) {
            throw silence;
        }
        return any.get();
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /** Who was seen to have a snapshot need not be asked again. */
    private final class Looks {
        private final List<Member> missing;
        private int silent;
        private String lastSilence = "";

        Looks(List<Member> members) {
            this.missing = new ArrayList<>(members);
        }

        void look() {
            boolean heardAll = true;
            for (Member member : List.copyOf(missing)) {
                try {
                    if (metrics.raftSnapshots(member.metrics(), DEADLINE) > 0) {
                        missing.remove(member);
                    }
                } catch (EtcdException e) {
                    heardAll = false;
                    lastSilence = member.name() + " " + e.why();
                }
            }
            silent = heardAll ? 0 : silent + 1;
        }

        Optional<String> failure() {
            return silent >= SILENT_LOOKS ? Optional.of(lastSilence) : Optional.empty();
        }

        List<PeerName> names() {
            return missing.stream().map(Member::name).toList();
        }
    }
}
