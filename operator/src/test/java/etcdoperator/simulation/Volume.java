package etcdoperator.simulation;

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
    private boolean usedBefore;
    private boolean unreadable;
    private int readingsInVain;
    private Instant backSince = Instant.MIN;

    public Volume(String name) {
        this.name = name;
    }

    public Optional<MemberData> data() {
        return data;
    }

    void format(MemberData fresh) {
        data = Optional.of(fresh);
        history.add(fresh);
    }

    /** Somebody has not wiped it: another member's data is on it, behind a claim that knows nothing of that. */
    void holdsFromBefore(MemberData other) {
        format(other);
        usedBefore = true;
    }

    boolean isUsedBefore() {
        return usedBefore;
    }

    /** Takes what is on it away, to be put under another claim. */
    MemberData handOn() {
        MemberData old = data.orElseThrow();
        data = Optional.empty();
        return old;
    }

    /** All that was ever on it. */
    List<MemberData> history() {
        return history;
    }

    /** All that was on it is gone. */
    public void empty() {
        destroyed = destroyed || data.isPresent();
        data = Optional.empty();
        filled = false;
        usedBefore = false;
    }

    /** It is not mounted: whoever looks finds an empty folder, and all that is on it is still there. */
    void unmount() {
        away = true;
    }

    void mount(Instant now) {
        away = false;
        backSince = now;
    }

    boolean isAway() {
        return away;
    }

    /** Whether it was there at that time, and all the time since. */
    boolean wasThereSince(Instant time) {
        return !away && !backSince.isAfter(time);
    }

    /** A restore has noted on it that it is done with it. */
    void noteThatItIsFilled() {
        filled = true;
    }

    boolean isFilled() {
        return filled;
    }

    /** What was on it cannot be read any more, and etcd can tell. */
    void corrupt() {
        empty();
        corrupt = true;
    }

    /** The disk fails for a moment: etcd calls intact data corrupt. @param readings of an agent that fail as well */
    void failToRead(int readings) {
        unreadable = true;
        readingsInVain = readings;
    }

    void readAgain() {
        unreadable = false;
    }

    boolean isUnreadable() {
        return unreadable;
    }

    /** An agent reads it. */
    boolean fails() {
        return unreadable && readingsInVain-- > 0;
    }

    boolean isCorrupt() {
        return corrupt;
    }

    /** Whether a member's data was on it once and is gone. */
    boolean lostData() {
        return destroyed;
    }

    Optional<EtcdProcess> user() {
        return user.filter(EtcdProcess::isRunning);
    }

    void takenBy(EtcdProcess process) {
        user = Optional.of(process);
        everUsed = true;
    }

    /** Whether etcd has ever run on it: what a restore puts there is a copy until then. */
    boolean wasEverUsed() {
        return everUsed;
    }

    /** The operator has said that the member on it has joined for good: from now on it answers for it. */
    void vouch() {
        vouchedFor = true;
    }

    boolean isVouchedFor() {
        return vouchedFor;
    }

    @Override
    public String toString() {
        return name;
    }
}
