package etcdoperator.crd;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDGenerator.CRDOutput;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** The CRDs of the five kinds, generated from their Java types. */
final class Crds {
    /** In the order of the field reference: what users write first comes first. */
    static final List<Class<? extends CustomResource<?, ?>>> KINDS =
            List.of(EtcdCluster.class, EtcdPeer.class, EtcdBackup.class, EtcdBackupSchedule.class, EtcdRestore.class);

    private Crds() {}

    static List<CustomResourceDefinition> all() {
        return KINDS.stream().map(Crds::of).toList();
    }

    static CustomResourceDefinition of(Class<? extends CustomResource<?, ?>> kind) {
        Collector collector = new Collector();
        new CRDGenerator()
                .customResourceClasses(List.of(kind))
                .forCRDVersions("v1")
                .withOutput(new Discard())
                .withPostProcessor(collector)
                .generate();
        return CrdPolish.of(kind, collector.found.getFirst());
    }

    private static final class Collector implements CRDPostProcessor {
        private final List<CustomResourceDefinition> found = new ArrayList<>();

        @Override
        public HasMetadata process(HasMetadata crd, String crdVersion) {
            found.add((CustomResourceDefinition) crd);
            return crd;
        }
    }

    /** The generator insists on writing somewhere; the files are written from the finished objects. */
    private static final class Discard implements CRDOutput<OutputStream> {
        @Override
        public OutputStream outputFor(String crdName) {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void close() {}
    }
}
