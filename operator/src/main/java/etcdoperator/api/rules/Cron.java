package etcdoperator.api.rules;

/** Cron expressions as the API server can tell them: five fields of numbers and names, or a word for them. */
public final class Cron {
    private static final String STEP = "(/[1-9][0-9]?)?";
    private static final String MINUTE = "[0-5]?[0-9]";
    private static final String HOUR = "([01]?[0-9]|2[0-3])";
    private static final String DAY = "(0?[1-9]|[12][0-9]|3[01])";
    private static final String MONTH = "(0?[1-9]|1[0-2]|(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))";
    private static final String WEEKDAY = "([0-7]|(?i:sun|mon|tue|wed|thu|fri|sat))";

    private static final String MINUTES = "([*]|" + MINUTE + "(-" + MINUTE + ")?)" + STEP;
    private static final String HOURS = "([*]|" + HOUR + "(-" + HOUR + ")?)" + STEP;
    private static final String DAYS = "([*]|" + DAY + "(-" + DAY + ")?)" + STEP;
    private static final String MONTHS = "([*]|" + MONTH + "(-" + MONTH + ")?)" + STEP;
    private static final String WEEKDAYS = "([*]|" + WEEKDAY + "(-" + WEEKDAY + ")?)" + STEP;

    public static final int MAX_LENGTH = 128;
    public static final String RULE = "self.matches('^(@(hourly|daily|midnight|weekly|monthly|yearly|annually)|"
            + MINUTES + "(," + MINUTES + ")* +"
            + HOURS + "(," + HOURS + ")* +"
            + DAYS + "(," + DAYS + ")* +"
            + MONTHS + "(," + MONTHS + ")* +"
            + WEEKDAYS + "(," + WEEKDAYS + ")*)$')";

    /** Follows the name of the field. */
    public static final String MESSAGE =
            " must be a cron expression: write minute, hour, day of month, month and day of week,"
                    + " such as 0 3 * * 6, or one of @hourly, @daily, @weekly, @monthly and @yearly";

    private Cron() {}
}
