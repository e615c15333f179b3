package etcdoperator.exploration;

/**
 * A fault at a boundary.
 *
 * @param step which one of the run, counted from the beginning of the operation
 * @param request before which of the operator's requests in this step; 0 where the step sends none
 */
record Injection(int step, int request, Fault fault) {

    static Injection parse(String text) {
        int colon = text.indexOf(':');
        int dot = text.indexOf('.');
        return new Injection(
                Integer.parseInt(text.substring(0, dot)),
                Integer.parseInt(text.substring(dot + 1, colon)),
                Fault.parse(text.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return step + "." + request + ":" + fault;
    }
}
