package etcdoperator.cluster.view;

import etcdoperator.etcd.AccountOrder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a pass knows of etcd's authentication.
 *
 * @param due Secrets that the operator is to make, with the users they are for
 * @param look whether users and roles have to be read, because something else is wanted than when they last were, or
 *     because that is long ago
 * @param orders what brings them to what is wanted; each hides its password from whoever prints it
 * @param over whether authentication is off for good, so that the operator needs no password of its own any more
 * @param problem why etcd does not let the operator in, or which password is missing; nothing is changed meanwhile
 * @param remark what people have to know, and what stops nothing
 * @param nextAt when users and roles are to be read again, whatever happens
 */
public record AuthView(
        SortedMap<String, String> due,
        boolean look,
        List<AccountOrder> orders,
        boolean over,
        Optional<Problem> problem,
        Optional<Problem> remark,
        Optional<Instant> nextAt) {
    public static final AuthView NONE = new AuthView(
            new TreeMap<>(), false, List.of(), false, Optional.empty(), Optional.empty(), Optional.empty());
}
