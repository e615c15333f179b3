package etcdoperator.commandline;

/** What was told makes no sense. */
final class WrongFlagException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String why;

    WrongFlagException(String why) {
        super(why);
        this.why = why;
    }

    String why() {
        return why;
    }
}
