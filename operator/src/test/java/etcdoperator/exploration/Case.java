package etcdoperator.exploration;

/** An operation of a cluster of so many members. */
record Case(Operation operation, int members) {

    static Case parse(String text) {
        int slash = text.indexOf('/');
        return new Case(Operation.valueOf(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
    }

    @Override
    public String toString() {
        return operation + "/" + members;
    }
}
