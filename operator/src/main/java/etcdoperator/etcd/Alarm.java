package etcdoperator.etcd;

import etcdoperator.domain.MemberId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a member has raised for all of them to see.
 *
 * @param member who has raised it; 0 where somebody did so for nobody in particular
 */
public record Alarm(MemberId member, Kind kind) {
    /** Alarms are told among other errors, each in the way the protobuf library of that line prints a message. */
    private static final Pattern SYNTAX =
            Pattern.compile("\\s*(?:memberID:\\s*(\\d{1,20})\\s+)?alarm:\\s*(NOSPACE|CORRUPT)\\s*");

    public enum Kind {
        /** The quota is used up: writes are refused, deletes are not. */
        NOSPACE,
        /** Members disagree about the data: writes are refused. */
        CORRUPT
    }

    public static Optional<Alarm> parse(String error) {
        Matcher matcher = SYNTAX.matcher(error);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String member = Optional.ofNullable(matcher.group(1)).orElse("0");
        return Optional.of(new Alarm(new MemberId(Long.parseUnsignedLong(member)), Kind.valueOf(matcher.group(2))));
    }

    /** As etcd says it. */
    @Override
    public String toString() {
        return "memberID:" + Long.toUnsignedString(member.value()) + " alarm:" + kind;
    }
}
