package etcdoperator.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A short name for all that users can set of a pod, so that a pod tells what it was made with. Only what users see
 * counts: another way to render the same settings, in a later operator, must restart nothing.
 */
public final class PeerSettings {
    private static final int LENGTH = 10;
    private static final ObjectMapper SORTED =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

    private PeerSettings() {}

    public static String hashOf(EtcdPeerSpec spec) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("version", spec.version());
        settings.put("image", spec.image());
        settings.put("podTemplate", spec.podTemplateOrEmpty());
        Optional.ofNullable(spec.etcd()).ifPresent(etcd -> settings.put("etcd", etcd));
        Optional.ofNullable(spec.tls()).ifPresent(tls -> settings.put("tls", tls));
        return hash(settings);
    }

    private static String hash(Map<String, Object> settings) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(SORTED.writeValueAsString(settings).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, LENGTH);
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("settings that were read as JSON cannot be written as JSON", e);
        }
    }
}
