package etcdoperator.simulation.etcd;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** One run of etcd on one volume. */
public final class EtcdProcess {
    private final StartFlags flags;
    private final Volume volume;
    private final String node;
    private final PodTls tls;
    private final Set<EtcdProcess> connections = new HashSet<>();
    private boolean running = true;
    private boolean ready;
    private int connectedFor;
    private Optional<String> lastWords = Optional.empty();

    EtcdProcess(StartFlags flags, Volume volume, String node, PodTls tls) {
        this.tls = tls;
        this.flags = flags;
        this.volume = volume;
        this.node = node;
    }

    public StartFlags flags() {
        return flags;
    }

    public PodTls tls() {
        return tls;
    }

    boolean isConnectedTo(EtcdProcess other) {
        return connections.contains(other);
    }

    void connect(EtcdProcess other) {
        connections.add(other);
        other.connections.add(this);
    }

    void disconnect(EtcdProcess other) {
        connections.remove(other);
        other.connections.remove(this);
    }

    public int minor() {
        return flags.version().minor();
    }

    Volume volume() {
        return volume;
    }

    public String node() {
        return node;
    }

    public boolean isRunning() {
        return running;
    }

    /** Why it ended by itself, if it did. */
    public Optional<String> lastWords() {
        return lastWords;
    }

    /** Whether it has been part of a quorum since it started: before that it answers nobody. */
    public boolean isReady() {
        return running && ready;
    }

    public boolean wasEverReady() {
        return ready;
    }

    void becomeReady() {
        ready = true;
    }

    /** For how long the leader has had a connection to it. */
    int connectedFor() {
        return connectedFor;
    }

    void connected(boolean connected) {
        connectedFor = connected ? connectedFor + 1 : 0;
    }

    public void kill() {
        running = false;
    }

    void exit(String why) {
        running = false;
        lastWords = Optional.of(why);
    }

    public MemberData data() {
        return volume.data().orElseThrow();
    }

    @Override
    public String toString() {
        return "etcd " + flags.name() + " on " + volume + " at " + node;
    }
}
