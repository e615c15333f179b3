package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;

import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.simulation.etcd.StartFlags;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A stage for each test, and what most of them begin with. */
abstract class EtcdTrial {
    static final Duration DEADLINE = Duration.ofSeconds(2);
    static final String TOKEN = "first";

    EtcdStage stage;

    abstract EtcdStage open();

    @BeforeEach
    void openStage() {
        stage = open();
    }

    @AfterEach
    void closeStage() {
        stage.close();
    }

    void formCluster() {
        NAMES.forEach(name -> stage.start(founder(name, TOKEN)));
        NAMES.forEach(this::awaitWell);
        stage.eventually("everybody has said where clients find it", this::allPublished);
    }

    boolean allPublished() {
        try {
            return stage.client("a").members(DEADLINE).stream()
                    .noneMatch(member -> member.clientUrls().isEmpty());
        } catch (EtcdException e) {
            return false;
        }
    }

    StartFlags founder(String name, String token) {
        return stage.flags(name, NAMES, "new", token);
    }

    /** As a sealed peer starts. */
    StartFlags onDataOnly(String name) {
        return stage.flags(name, List.of(name), "existing", "");
    }

    /** As a peer starts whose member was added before. */
    StartFlags joining(String name, List<String> members) {
        return stage.flags(name, members, "existing", "");
    }

    void awaitWell(String name) {
        stage.eventually(name + " is well", () -> readsThrough(name));
    }

    boolean readsThrough(String name) {
        try {
            stage.client(name).status(DEADLINE);
            stage.client(name).linearizableRead(DEADLINE);
            return true;
        } catch (EtcdException e) {
            return false;
        }
    }

    boolean knowsLeader(String name) {
        try {
            return stage.client(name).status(DEADLINE).knowsLeader();
        } catch (EtcdException e) {
            return false;
        }
    }

    interface Call {
        void run() throws EtcdException;
    }

    static boolean succeeds(Call call) {
        return kind(call) == null;
    }

    /** How a call fails, or null if it does not. */
    static Kind kind(Call call) {
        try {
            call.run();
            return null;
        } catch (EtcdException e) {
            return e.kind();
        }
    }
}
