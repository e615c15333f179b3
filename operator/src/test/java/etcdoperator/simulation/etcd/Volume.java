package etcdoperator.simulation.etcd;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A disk: what is on it outlives processes, pods and clusters. */
public final class Volume {
    private final String name;
    private final List<MemberData> history = new ArrayList<>();
    private Optional<MemberData> data = Optional.empty();
    private Optional<EtcdProcess> user = Optional.empty();
    private boolean vouchedFor;
    private boolean everUsed;
    private boolean destroyed;
    private boolean corrupt;
    private boolean filled;
    private boolean away;
    private Instant backSince = Instant.MIN;

    public Volume(String name) {
        this.name = name;
    }

    public Optional<MemberData> data() {
        return data;
    }

    public void format(MemberData fresh) {
        data = Optional.of(fresh);
        history.add(fresh);
    }

    /** All that was ever on it. */
    public List<MemberData> history() {
        return history;
    }

    /** All that was on it is gone. */
    public void empty() {
        destroyed = destroyed || data.isPresent();
        data = Optional.empty();
        filled = false;
    }

    /** It is not mounted: whoever looks finds an empty folder, and all that is on it is still there. */
    public void unmount() {
        away = true;
    }

    public void mount(Instant now) {
        away = false;
        backSince = now;
    }

    public boolean isAway() {
        return away;
    }

    /** Whether it was there at that time, and all the time since. */
    public boolean wasThereSince(Instant time) {
        return !away && !backSince.isAfter(time);
    }

    /** A restore has noted on it that it is done with it. */
    public void noteThatItIsFilled() {
        filled = true;
    }

    public boolean isFilled() {
        return filled;
    }

    /** What was on it cannot be read any more, and etcd can tell. */
    public void corrupt() {
        empty();
        corrupt = true;
    }

    boolean isCorrupt() {
        return corrupt;
    }

    /** Whether a member's data was on it once and is gone. */
    public boolean lostData() {
        return destroyed;
    }

    public Optional<EtcdProcess> user() {
        return user.filter(EtcdProcess::isRunning);
    }

    void takenBy(EtcdProcess process) {
        user = Optional.of(process);
        everUsed = true;
    }

    /** Whether etcd has ever run on it: what a restore puts there is a copy until then. */
    public boolean wasEverUsed() {
        return everUsed;
    }

    /** The operator has said that the member on it has joined for good: from now on it answers for it. */
    public void vouch() {
        vouchedFor = true;
    }

    public boolean isVouchedFor() {
        return vouchedFor;
    }

    @Override
    public String toString() {
        return name;
    }
}
