package etcdoperator.manifest;

import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSetup.ClientSide;
import etcdoperator.api.TlsSetup.PeerSide;
import etcdoperator.api.TlsSetup.SecretFiles;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.manifest.flags.FlagTable;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;

/** Certificates and keys in a pod: volumes, where they are mounted, and the flags that name the files. */
final class TlsFiles {
    private static final String CLIENT_VOLUME = "client-tls";
    private static final String PEER_VOLUME = "peer-tls";
    private static final String FOLDER = "/etc/etcd/";

    /** For the user that etcd runs as, by its group, and nobody else. */
    private static final int READABLE = 0440;

    private TlsFiles() {}

    static List<Volume> volumes(TlsSetup tls) {
        List<Volume> volumes = new ArrayList<>();
        if (tls.client() != null) {
            volumes.add(volume(CLIENT_VOLUME, tls.client().files()));
        }
        if (tls.peer() != null) {
            volumes.add(volume(PEER_VOLUME, tls.peer().files()));
        }
        return volumes;
    }

    static List<VolumeMount> mounts(TlsSetup tls) {
        return volumes(tls).stream()
                .map(volume -> new VolumeMountBuilder()
                        .withName(volume.getName())
                        .withMountPath(FOLDER + volume.getName())
                        .withReadOnly(true)
                        .build())
                .toList();
    }

    static List<String> flags(TlsSetup tls, EtcdVersion version) {
        List<String> flags = new ArrayList<>();
        ClientSide client = tls.client();
        if (client != null) {
            flags.addAll(files("", CLIENT_VOLUME));
            flags.add("--client-cert-auth=true");
        }
        PeerSide peer = tls.peer();
        if (peer != null) {
            flags.addAll(files("peer-", PEER_VOLUME));
            flags.add("--peer-client-cert-auth=true");
            // etcd takes one of both.
            if (peer.hostName() != null) {
                flags.add("--peer-cert-allowed-hostname=" + peer.hostName());
            } else if (peer.commonName() != null) {
                flags.add("--peer-cert-allowed-cn=" + peer.commonName());
            }
            if (peer.commonName() != null) {
                // The name says enough, and DNS is no part of who may join.
                flags.add("--" + FlagTable.nameOf("peer-skip-client-san-verification", version) + "=true");
            }
        }
        return flags;
    }

    private static List<String> files(String side, String volume) {
        return List.of(
                "--" + side + "cert-file=" + FOLDER + volume + "/tls.crt",
                "--" + side + "key-file=" + FOLDER + volume + "/tls.key",
                "--" + side + "trusted-ca-file=" + FOLDER + volume + "/ca.crt");
    }

    /** No subPath: such mounts are never refreshed, and etcd reads renewed certificates from these files. */
    private static Volume volume(String name, SecretFiles files) {
        return new VolumeBuilder()
                .withName(name)
                .withNewSecret()
                .withSecretName(files.name())
                .withDefaultMode(READABLE)
                .withItems(
                        new KeyToPath(files.certificate(), null, "tls.crt"),
                        new KeyToPath(files.key(), null, "tls.key"),
                        new KeyToPath(files.authorities(), null, "ca.crt"))
                .endSecret()
                .build();
    }
}
