package etcdoperator.contract.kube;

import etcdoperator.kube.Kube;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A stage of its own for each test. */
public abstract class KubeTrial {
    protected KubeStage stage;

    protected abstract KubeStage open();

    @BeforeEach
    void openStage() {
        stage = open();
    }

    @AfterEach
    void closeStage() {
        stage.close();
    }

    final Kube kube() {
        return stage.kube();
    }

    final Things things() {
        return new Things(stage.namespace());
    }
}
