package etcdoperator.cluster.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.cluster.view.Chores.Comparison;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdClient.Hash;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.TypicalStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DataComparisonTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final Map<MemberId, EtcdClient> members = new HashMap<>();

    @Test
    void allAgree() throws EtcdException {
        has(1, 10, 7, 0);
        has(2, 12, 7, 0);
        has(3, 11, 7, 0);
        assertThat(compare().agreeing()).hasSize(3);
        assertThat(compare().differing()).isEmpty();
    }

    @Test
    void oneDiffers() throws EtcdException {
        has(1, 10, 7, 0);
        has(2, 10, 8, 0);
        has(3, 10, 7, 0);
        assertThat(compare().differing()).containsExactly(new MemberId(2));
    }

    @Test
    void halfIsNoMajority() throws EtcdException {
        has(1, 10, 7, 0);
        has(2, 10, 8, 0);
        assertThat(compare().agreeing()).isEmpty();
        assertThat(compare().differing()).hasSize(2);
    }

    @Test
    void everybodyIsAskedForTheLowestRevision() throws EtcdException {
        ObedientEtcd ahead = has(1, 12, 7, 0);
        has(2, 10, 7, 0);
        compare();
        assertThat(ahead.calls).containsExactly("hash at 10");
    }

    @Test
    void whoHasForgottenMoreCannotBeCompared() {
        has(1, 10, 7, 0);
        has(2, 10, 8, 5);
        assertThatThrownBy(this::compare).isInstanceOf(EtcdException.class).hasMessageContaining("compacting");
    }

    private Comparison compare() throws EtcdException {
        return new DataComparison(members).compare(NOW);
    }

    private ObedientEtcd has(long id, long revision, long hash, long compacted) {
        var member = new ObedientEtcd(List.of());
        member.says(TypicalStatus.of(
                new ClusterId(1), new MemberId(id), "3.6.16", 20480, new MemberId(1), false, 2, revision, List.of()));
        member.hashes(new Hash(hash, revision, compacted));
        members.put(new MemberId(id), member);
        return member;
    }
}
