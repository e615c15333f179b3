package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSetup.PeerSide;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members check a host name of their namespace; those of an earlier operator do so after the next restart, and not before. */
class PeerNamesTest {
    private static final String NAME = "c-0.c.ns.svc";
    private static final String PERMISSIVE = "{client: {managed: {}, mode: Permissive}, peer: {managed: {}}}";

    @ParameterizedTest
    @ValueSource(strings = {Certified.BOTH, "{peer: {managed: {}}}"})
    void aNewClusterChecksIt(String tls) {
        assertThat(side(Certified.ready(tls)).hostName()).isEqualTo(NAME);
        assertThat(side(Certified.ready(tls).runsAsAsked()).hostName()).isEqualTo(NAME);
    }

    @Test
    void theCertificatesOfMembersAreGoodForIt() {
        assertThat(Certified.certificate(Certified.ready(Certified.BOTH).secret("c-peer-tls"))
                        .isFor(NAME))
                .isTrue();
    }

    /** An operator that is upgraded restarts nothing. */
    @Test
    void aClusterOfAnEarlierOperatorStaysAsItIs() {
        var cluster = Certified.ready(Certified.BOTH);
        TlsSetup before = ofBefore(cluster);
        assertThat(cluster.runs(before).view().target()).isEqualTo(before);
        assertThat(cluster.view().known()).contains(Objects.requireNonNull(before.peer()));
    }

    @Test
    void itComesWithTheNextChangeThatRestartsAll() {
        var cluster = Certified.ready(Certified.BOTH);
        TlsSetup before = ofBefore(cluster);
        TlsSetup after = cluster.runs(before).asks(PERMISSIVE).view().target();
        assertThat(Objects.requireNonNull(after.peer()).hostName()).isEqualTo(NAME);
        assertThat(after.peer().commonName())
                .as("in the certificate, for those that are not restarted yet")
                .isEqualTo("c-peer");
        assertThat(cluster.runs(after, before, before).view().target()).isEqualTo(after);
        assertThat(cluster.runs(after, after, after).view().target()).isEqualTo(after);
    }

    /** The earlier operator had restarted some of the members: they are not restarted again. */
    @Test
    void aChangeThatAnEarlierOperatorHasBegunEndsWithoutIt() {
        var cluster = Certified.ready(Certified.BOTH);
        TlsSetup before = ofBefore(cluster);
        TlsSetup after = without(cluster.asks(PERMISSIVE).view().target());
        assertThat(cluster.runs(after, before, before).view().target()).isEqualTo(after);
        assertThat(cluster.runs(after, after, after).view().target()).isEqualTo(after);
    }

    @Test
    void membersInPlaintextBeginWithIt() {
        assertThat(side(Certified.ready(Certified.BOTH).runs(TlsSetup.NONE)).hostName())
                .isEqualTo(NAME);
    }

    @Test
    void certificatesOfUsersAreCheckedToo() {
        var mine = Certified.ready(Certified.BOTH).secret("c-peer-tls");
        mine.getMetadata().setName("mine");
        var cluster = new Certified("{peer: {secret: {name: mine}}}").with(mine).issueAll();
        assertThat(side(cluster).hostName()).isEqualTo(NAME);
        assertThat(side(cluster).commonName()).isNull();
    }

    private static PeerSide side(Certified cluster) {
        return Objects.requireNonNull(cluster.view().target().peer());
    }

    /** @param cluster without members yet */
    private static TlsSetup ofBefore(Certified cluster) {
        return without(cluster.view().target());
    }

    private static TlsSetup without(TlsSetup tls) {
        PeerSide side = Objects.requireNonNull(tls.peer());
        return new TlsSetup(tls.client(), new PeerSide(side.stage(), side.files(), side.commonName(), null));
    }
}
