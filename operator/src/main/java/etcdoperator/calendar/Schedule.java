package etcdoperator.calendar;

import java.time.Instant;
import java.time.ZoneId;

/** A crontab by the clocks of one place. */
public record Schedule(Crontab crontab, ZoneId zone) {
    public static Schedule parse(String crontab, ZoneId zone) {
        return new Schedule(Crontab.parse(crontab), zone);
    }

    /** The first run after this moment. */
    public Instant next(Instant after) {
        return crontab.next(after, zone);
    }

    /** The last run that is not after this moment. */
    public Instant last(Instant notAfter) {
        return crontab.last(notAfter, zone);
    }

    @Override
    public String toString() {
        return crontab + " " + zone;
    }
}
