package etcdoperator.contract.etcd;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Ports of the loopback that nobody else has, nor gets before they are listened on: each is given once, and none is of
 * those that the kernel gives to whoever connects to somewhere.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int COUNT = 10_000;

    /** Processes that run at a time have ids that are close, and begin far apart: the golden ratio spreads them. */
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 0.618_034 % 1 * COUNT));

    private FreePorts() {}

    public static List<Integer> take(int count) {
        return IntStream.generate(() -> FIRST + NEXT.getAndIncrement() % COUNT)
                .filter(FreePorts::isFree)
                .limit(count)
                .boxed()
                .toList();
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
