package etcdoperator.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the CRDs of the five kinds into a folder, one file per kind. */
public final class GenerateCrds {
    private GenerateCrds() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            throw new IllegalArgumentException("usage: GenerateCrds OUT_DIR");
        }
        Path outDir = Files.createDirectories(Path.of(args[0]));
        for (CustomResourceDefinition crd : Crds.all()) {
            Files.writeString(outDir.resolve(fileName(crd)), Serialization.asYaml(crd));
        }
    }

    static String fileName(CustomResourceDefinition crd) {
        return crd.getSpec().getGroup() + "_" + crd.getSpec().getNames().getPlural() + ".yaml";
    }
}
