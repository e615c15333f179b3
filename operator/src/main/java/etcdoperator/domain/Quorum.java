package etcdoperator.domain;

/** How many voters of a cluster must agree. */
public record Quorum(int voters) {
    public int needed() {
        return voters / 2 + 1;
    }

    public boolean metBy(int healthy) {
        return voters > 0 && healthy >= needed();
    }

    /** How many voters can stop at once with writes going on. */
    public int canSpare() {
        return Math.max(0, voters - needed());
    }
}
