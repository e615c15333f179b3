package etcdoperator.contract.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands before the peer port of a member. Others send to it by long streams, which they open themselves, and by single
 * requests while they have none: here the ones can be cut, and the others held back and failed.
 */
final class PeerProxy implements AutoCloseable {
    private static final String STREAM = "GET /raft/stream/";
    private static final String REQUEST = "POST /raft ";

    private enum Requests {
        PASS,
        HOLD,
        FAIL
    }

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> streams = ConcurrentHashMap.newKeySet();
    private final Set<Socket> held = ConcurrentHashMap.newKeySet();
    private volatile Requests requests = Requests.PASS;
    private volatile boolean cut;

    PeerProxy(int port, int target) {
        this.target = target;
        try {
            this.server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    int target() {
        return target;
    }

    void holdRequests() {
        requests = Requests.HOLD;
    }

    int held() {
        return held.size();
    }

    /** Those that are held, and any that comes after them. */
    void failRequests() {
        requests = Requests.FAIL;
        held.forEach(PeerProxy::end);
    }

    void letRequestsPass() {
        requests = Requests.PASS;
    }

    void cutStreams() {
        cut = true;
        streams.forEach(PeerProxy::end);
        streams.clear();
    }

    void letStreamsPass() {
        cut = false;
    }

    int streams() {
        return (int) streams.stream().filter(stream -> !stream.isClosed()).count();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket caller = server.accept();
                Thread.ofVirtual().start(() -> serve(caller));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket caller) {
        try (caller;
                Socket member = new Socket(InetAddress.getLoopbackAddress(), target)) {
            Thread.ofVirtual().start(() -> answer(member, caller));
            byte[] buffer = new byte[64 << 10];
            InputStream in = caller.getInputStream();
            OutputStream out = member.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                String head = new String(buffer, 0, Math.min(read, STREAM.length()), StandardCharsets.ISO_8859_1);
                if (!passes(head, caller)) {
                    return;
                }
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // Whoever was cut off has noticed.
        } finally {
            streams.remove(caller);
        }
    }

    /** @return false if this connection is to end */
    private boolean passes(String head, Socket caller) throws IOException {
        if (head.startsWith(STREAM)) {
            if (cut) {
                return false;
            }
            streams.add(caller);
        }
        if (!head.startsWith(REQUEST) || requests == Requests.PASS) {
            return true;
        }
        held.add(caller);
        while (requests == Requests.HOLD && !caller.isClosed()) {
            pause();
        }
        return false;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void answer(Socket member, Socket caller) {
        try {
            member.getInputStream().transferTo(caller.getOutputStream());
        } catch (IOException e) {
            // As above.
        }
        end(caller);
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
