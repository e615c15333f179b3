package etcdoperator.contract.etcd;

import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes on the loopback, of each line that is tested. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
class RealUpkeepIT extends UpkeepContract {
    @Parameter
    String version;

    @Override
    EtcdStage open() {
        return new ProcessStage(EtcdBinary.of(version));
    }
}
