package etcdoperator.simulation;

import static etcdoperator.simulation.SabotageTest.assertFound;
import static etcdoperator.simulation.SabotageTest.writing;

import etcdoperator.manifest.TlsSecrets;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.SpoiledKube;
import etcdoperator.simulation.rules.Invariant;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Trust that is changed wrongly is found out. */
class TlsSabotageTest {
    @Test
    void anAuthorityIsFollowedAtOnce() {
        assertFound(Invariant.TLS_COSTS_NO_QUORUM, writing((honest, world) -> new SpoiledKube(honest) {
            @Override
            public void replace(Secret secret) throws StaleViewException, RefusedException {
                super.replace(succeeded(secret));
            }
        }));
    }

    /** The next one signs before anybody trusts it. */
    private static Secret succeeded(Secret secret) {
        Map<String, String> data = new TreeMap<>(secret.getData());
        String certificate = data.remove(TlsSecrets.NEXT_CERTIFICATE);
        String key = data.remove(TlsSecrets.NEXT_KEY);
        if (certificate != null && key != null) {
            data.put(TlsSecrets.PREVIOUS_CERTIFICATE, data.getOrDefault(TlsSecrets.CERTIFICATE, ""));
            data.put(TlsSecrets.CERTIFICATE, certificate);
            data.put(TlsSecrets.KEY, key);
        }
        Secret changed = Objects.copy(secret);
        changed.setData(data);
        return changed;
    }
}
