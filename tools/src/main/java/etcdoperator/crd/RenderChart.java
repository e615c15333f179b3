package etcdoperator.crd;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks and packages the Helm chart, and renders it: Helm as a library, so that no build needs the program. */
public final class RenderChart {
    /** The oldest that the chart accepts. No template depends on it. */
    private static final String KUBERNETES = "1.29.0";

    private RenderChart() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 5) {
            throw new IllegalArgumentException("usage: RenderChart CHART_DIR VALUES NAMESPACE PACKAGE_DIR OUT_FILE");
        }
        Helm chart = new Helm(Path.of(args[0]));
        LintResult lint = chart.lint().call();
        if (lint.isFailed()) {
            throw new IllegalStateException(String.join("\n", lint.getMessages()));
        }
        chart.packageIt().withDestination(Path.of(args[3])).call();
        String objects = chart.template()
                .withName("etcd-operator")
                .withNamespace(args[2])
                .withKubeVersion(KUBERNETES)
                .withValuesFile(Path.of(args[1]))
                .call();
        Files.writeString(Path.of(args[4]), objects);
    }
}
