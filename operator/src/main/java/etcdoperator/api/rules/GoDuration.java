package etcdoperator.api.rules;

/** What the API server can tell of durations. */
public final class GoDuration {
    /** Hours, minutes and seconds. */
    public static final String PATTERN = "^([0-9]{1,6}(h|m|s))+$";

    private GoDuration() {}
}
