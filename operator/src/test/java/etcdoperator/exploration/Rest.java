package etcdoperator.exploration;

/** The end of a run, in which nothing changes any more. */
final class Rest {
    /** Far more than any operation needs. */
    private static final int STEPS = 4_000;

    private Rest() {}

    static void reach(Scene scene) {
        for (int i = 0; !scene.isAtRest(); i++) {
            require(i);
            scene.step();
        }
    }

    static void require(int steps) {
        if (steps > STEPS) {
            throw new IllegalStateException("objects change without end");
        }
    }
}
