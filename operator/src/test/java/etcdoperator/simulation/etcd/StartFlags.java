package etcdoperator.simulation.etcd;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What etcd is told when it starts, and the ids it makes of that.
 *
 * @param version of the binary
 * @param initialCluster peer URLs by member name
 */
public record StartFlags(
        String name,
        String peerUrl,
        String clientUrl,
        Map<String, String> initialCluster,
        String state,
        String token,
        EtcdVersion version) {

    public StartFlags {
        initialCluster = new TreeMap<>(initialCluster);
    }

    public StartFlags(
            String name, String peerUrl, String clientUrl, Map<String, String> members, String state, String token) {
        this(name, peerUrl, clientUrl, members, state, token, EtcdVersion.parse(FakeEtcdClient.VERSION));
    }

    /** As the flag writes it: {@code a=http://a:2380,b=http://b:2380}. */
    static Map<String, String> parseInitialCluster(String flag) {
        Map<String, String> members = new TreeMap<>();
        for (String member : flag.split(",")) {
            int equals = member.indexOf('=');
            members.put(member.substring(0, equals), member.substring(equals + 1));
        }
        return members;
    }

    public boolean founds() {
        return state.equals("new");
    }

    /** Whether it starts on its data, or not at all. */
    public boolean isSealed() {
        return !founds() && initialCluster.size() == 1;
    }

    /** etcd's own recipe: the URL and the token, nothing else. */
    public MemberId memberId(String url) {
        return new MemberId(hash((url + token).getBytes(StandardCharsets.UTF_8)));
    }

    /** etcd's own recipe: the member ids, in order. */
    public ClusterId clusterId() {
        ByteBuffer ids = ByteBuffer.allocate(8 * initialCluster.size());
        initialCluster.values().stream()
                .map(url -> memberId(url).value())
                .sorted(Long::compareUnsigned)
                .forEach(ids::putLong);
        return new ClusterId(hash(ids.array()));
    }

    private static long hash(byte[] bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-1").digest(bytes))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The kubelet resolves a container's environment from the pod as it is at this start. */
    public static StartFlags of(Pod pod) {
        var container = pod.getSpec().getContainers().getFirst();
        Map<String, String> arguments = new HashMap<>();
        container.getArgs().forEach(argument -> {
            int equals = argument.indexOf('=');
            arguments.put(argument.substring(2, equals), argument.substring(equals + 1));
        });
        Map<String, String> environment = new HashMap<>();
        container.getEnv().forEach(variable -> environment.put(variable.getName(), value(variable, pod)));
        return new StartFlags(
                arguments.get("name"),
                arguments.get("initial-advertise-peer-urls"),
                arguments.get("advertise-client-urls"),
                StartFlags.parseInitialCluster(environment.get("ETCD_INITIAL_CLUSTER")),
                environment.get("ETCD_INITIAL_CLUSTER_STATE"),
                environment.get("ETCD_INITIAL_CLUSTER_TOKEN"),
                version(container.getImage()));
    }

    private static EtcdVersion version(String image) {
        return EtcdVersion.parse(image.substring(image.lastIndexOf(":v") + 2));
    }

    private static String value(EnvVar variable, Pod pod) {
        if (variable.getValueFrom() == null) {
            return variable.getValue();
        }
        String path = variable.getValueFrom().getFieldRef().getFieldPath();
        String annotation = path.substring(path.indexOf('\'') + 1, path.lastIndexOf('\''));
        return pod.getMetadata().getAnnotations().getOrDefault(annotation, "");
    }
}
