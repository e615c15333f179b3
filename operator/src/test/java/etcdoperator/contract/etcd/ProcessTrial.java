package etcdoperator.contract.etcd;

import org.junit.jupiter.params.Parameter;

/** What only real processes show, on the lines that a test names as its first parameter. */
abstract class ProcessTrial extends EtcdTrial {
    @Parameter(0)
    String version;

    ProcessStage processes;

    @Override
    final EtcdStage open() {
        processes = new ProcessStage(EtcdBinary.of(version));
        return processes;
    }
}
