package etcdoperator.kube.fabric;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;

/** Has the API server send names and versions of objects, without what is in them. */
final class MetadataOnly implements Interceptor {
    private static final String AS = "application/json;g=meta.k8s.io;v=v1;as=";

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        String query = String.valueOf(request.uri().getQuery());
        boolean watches = query.contains("watch=true");
        builder.setHeader("Accept", AS + (watches ? "PartialObjectMetadata" : "PartialObjectMetadataList"));
    }
}
