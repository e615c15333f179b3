package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;
import static etcdoperator.etcd.Accounts.ROOT;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.time.Duration;
import java.util.Optional;

/** A cluster with authentication of its own, and the operator as its root. */
abstract class AuthTrial extends EtcdTrial {
    static final Credentials US = new Credentials(ROOT, "first password");
    static final Credentials ROTATED = new Credentials(ROOT, "second password");
    static final Duration LONG = Duration.ofSeconds(10);

    void enable() throws EtcdException {
        Accounts accounts = stage.client("a").accounts();
        accounts.addRole(ROOT, LONG);
        accounts.addUser(ROOT, Optional.of(US.password()), LONG);
        accounts.grantRole(ROOT, ROOT, LONG);
        accounts.enable(LONG);
        for (String name : NAMES) {
            stage.eventually(
                    name + " asks for it",
                    () -> kind(() -> stage.client(name).linearizableRead(LONG)) == Kind.NO_ACCESS);
        }
    }

    EtcdClient root(String name) {
        return stage.client(name, US);
    }

    /** Where it is the leader itself that has to be asked. */
    String leader() throws EtcdException {
        MemberId leader = root("a").status(LONG).leader();
        return root("a").agreedMembers(LONG).stream()
                .filter(member -> member.id().equals(leader))
                .map(ListedMember::name)
                .findFirst()
                .orElseThrow(() -> new EtcdException(Kind.NOT_YET, "there is no leader"));
    }
}
