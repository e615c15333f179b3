package etcdoperator.kube.fabric;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;

/** Has the API server send names and versions of objects, without what is in them. */
final class MetadataOnly implements Interceptor {
    private static final String AS = "application/json;g=meta.k8s.io;v=v1;as=";

    /** An empty list comes as "items": null, unlike a list of whole objects. */
    static KubernetesSerialization serialization() {
        var mapper = new ObjectMapper();
        mapper.configOverride(List.class).setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
        return new KubernetesSerialization(mapper, true);
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        String query = String.valueOf(request.uri().getQuery());
        boolean watches = query.contains("watch=true");
        builder.setHeader("Accept", AS + (watches ? "PartialObjectMetadata" : "PartialObjectMetadataList"));
    }
}
