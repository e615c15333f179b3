package etcdoperator.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to a server of the loopback that can be cut, for one that forgets when it is killed. */
final class CutProxy implements AutoCloseable {
    private final int target;
    private final int port;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile ServerSocket door;

    CutProxy(int port, int target) {
        this.port = port;
        this.target = target;
        open();
    }

    void open() {
        try {
            ServerSocket opened = new ServerSocket();
            opened.setReuseAddress(true);
            opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            door = opened;
            Thread.ofVirtual().start(() -> serve(opened));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void cut() {
        try {
            door.close();
            for (Socket socket : sockets) {
                socket.close();
            }
            sockets.clear();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        cut();
    }

    private void serve(ServerSocket opened) {
        while (!opened.isClosed()) {
            try {
                Socket client = opened.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(server);
                Thread.ofVirtual().start(() -> copy(client, server));
                Thread.ofVirtual().start(() -> copy(server, client));
            } catch (IOException e) {
                // Cut: the door says so itself.
            }
        }
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Cut, or hung up by one of them: both are closed.
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }
}
