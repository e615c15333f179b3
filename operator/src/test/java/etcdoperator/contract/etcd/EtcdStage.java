package etcdoperator.contract.etcd;

import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.simulation.etcd.StartFlags;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Places where etcd can run, each with a disk of its own: three for founders, and one for somebody who joins. */
interface EtcdStage extends AutoCloseable {
    List<String> NAMES = List.of("a", "b", "c");

    List<String> PLACES = List.of("a", "b", "c", "d");

    String peerUrl(String name);

    /** How the member would be told to start with these others. */
    StartFlags flags(String name, List<String> initialCluster, String state, String token);

    /** @param flags as etcd takes them; the name says on which disk */
    void start(StartFlags flags);

    /** At once, as a power cut would. */
    void kill(String name);

    void emptyDisk(String name);

    boolean isRunning(String name);

    EtcdClient client(String name);

    /** One that says who it is, when it is asked. */
    EtcdClient client(String name, Credentials credentials);

    /** @return whether the write was acknowledged */
    boolean write(String name, int value);

    /** What a linearizable read through this member brings, if it brings anything. */
    Optional<Set<Integer>> read(String name);

    /** Returns once the condition holds, and fails if it never does. */
    void eventually(String what, BooleanSupplier condition);

    /** Lets things happen that might. */
    void aWhile();

    @Override
    void close();
}
