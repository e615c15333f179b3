package etcdoperator.cluster.observe;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.TypicalStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a member says: it is well and c-0 leads, unless told otherwise. */
public record Testifies(
        int ordinal,
        Instant at,
        long cluster,
        long leader,
        long term,
        long index,
        List<ListedMember> members,
        List<String> errors,
        Optional<String> readFailure,
        boolean isLearner) {
    public Testifies(int ordinal) {
        this(ordinal, TestimonyTest.NOW, 0xc1, 0xa0, 2, 1, TestimonyTest.THREE, List.of(), Optional.empty(), false);
    }

    Testifies at(Instant value) {
        return new Testifies(ordinal, value, cluster, leader, term, index, members, errors, readFailure, isLearner);
    }

    Testifies cluster(long value) {
        return new Testifies(ordinal, at, value, leader, term, index, members, errors, readFailure, isLearner);
    }

    public Testifies leader(long value) {
        return new Testifies(ordinal, at, cluster, value, term, index, members, errors, readFailure, isLearner);
    }

    Testifies term(long value) {
        return new Testifies(ordinal, at, cluster, leader, value, index, members, errors, readFailure, isLearner);
    }

    Testifies index(long value) {
        return new Testifies(ordinal, at, cluster, leader, term, value, members, errors, readFailure, isLearner);
    }

    public Testifies lists(List<ListedMember> value) {
        return new Testifies(ordinal, at, cluster, leader, term, index, value, errors, readFailure, isLearner);
    }

    Testifies errors(List<String> value) {
        return new Testifies(ordinal, at, cluster, leader, term, index, members, value, readFailure, isLearner);
    }

    Testifies learner() {
        return new Testifies(ordinal, at, cluster, leader, term, index, List.of(), errors, readFailure, true);
    }

    Testifies readFailure(String value) {
        return new Testifies(ordinal, at, cluster, leader, term, index, members, errors, Optional.of(value), isLearner);
    }

    public Spoke spoke() {
        var status = TypicalStatus.of(
                new ClusterId(cluster),
                new MemberId(0xa0 + ordinal),
                "3.6.16",
                1000 + ordinal,
                new MemberId(leader),
                isLearner,
                term,
                index,
                errors);
        return new Spoke(at, status, members, readFailure);
    }
}
