package etcdoperator.faults;

/** A fault that does not fit the sources any more. */
final class RottenFaultException extends Exception {
    private static final long serialVersionUID = 1L;

    RottenFaultException(String why) {
        super(why);
    }
}
