package etcdoperator.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.TlsSetup;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.manifest.Addresses.IpFamily;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class PeerReplicaSetTest {
    private static final String OURS = "etcd.improbable.io/";

    @Test
    void onePodForOnePeer() {
        ReplicaSet set = of(Given.founder(Given.cluster()));
        assertThat(set.getMetadata().getName()).isEqualTo("c-1");
        assertThat(set.getMetadata().getNamespace()).isEqualTo("ns");
        assertThat(set.getSpec().getReplicas()).isEqualTo(1);
        assertThat(set.getMetadata().getOwnerReferences()).singleElement().satisfies(owner -> {
            assertThat(owner.getKind()).isEqualTo("EtcdPeer");
            assertThat(owner.getUid()).isEqualTo("peer-uid");
            assertThat(owner.getController()).isTrue();
        });
    }

    @Test
    void itSelectsItsOwnPodAlone() {
        ReplicaSet set = of(Given.founder(Given.cluster()));
        assertThat(set.getSpec().getSelector().getMatchLabels())
                .containsOnlyKeys(OURS + "cluster-name", OURS + "peer-name")
                .allSatisfy((label, value) -> assertThat(
                                set.getSpec().getTemplate().getMetadata().getLabels())
                        .containsEntry(label, value));
    }

    @Test
    void aFounderKnowsAllFoundersAndTheirToken() {
        assertThat(template(Given.founder(Given.cluster())).getMetadata().getAnnotations())
                .containsEntry(
                        OURS + "initial-cluster",
                        "c-0=http://c-0.c.ns.svc:2380,c-1=http://c-1.c.ns.svc:2380,c-2=http://c-2.c.ns.svc:2380")
                .containsEntry(OURS + "initial-cluster-state", "new")
                .containsEntry(OURS + "initial-cluster-token", "token-1");
    }

    @Test
    void whoHasJoinedKnowsItselfAloneAndRefusesAnEmptyVolume() {
        assertThat(template(Given.existing(Given.cluster())).getMetadata().getAnnotations())
                .containsEntry(OURS + "initial-cluster", "c-1=http://c-1-x7.c.ns.svc:2380")
                .containsEntry(OURS + "initial-cluster-state", "existing")
                .containsEntry(OURS + "initial-cluster-token", "");
    }

    @Test
    void takingTheRightToFoundChangesNothingThatRestartsAPod() {
        PodSpec founder = template(Given.founder(Given.cluster())).getSpec();
        EtcdPeer sealed = Given.founder(Given.cluster());
        sealed.setSpec(sealed.getSpec()
                .withBootstrap(new Peers(Given.cluster(), TlsSetup.NONE)
                        .startOnDataOnly(PeerName.parse("c-1"), "c-1", Scheme.HTTP)));
        assertThat(template(sealed).getSpec()).isEqualTo(founder);
    }

    @Test
    void thePodIsFoundByItsHostName() {
        PodSpec pod = spec(Given.cluster());
        assertThat(pod.getHostname()).isEqualTo("c-1");
        assertThat(pod.getSubdomain()).isEqualTo("c");
    }

    /** etcd looks it up before it starts, and it is in DNS only some time after the pod has its address. */
    @Test
    void itsOwnNameNeedsNoDns() {
        assertThat(spec(Given.cluster()).getHostAliases()).singleElement().satisfies(alias -> {
            assertThat(alias.getIp()).isEqualTo("127.0.0.1");
            assertThat(alias.getHostnames()).containsExactly("c-1.c.ns.svc");
        });
    }

    @Test
    void itRunsOnTheClaimThatThePeerNames() {
        assertThat(template(Given.existing(Given.cluster())).getSpec().getVolumes())
                .singleElement()
                .satisfies(
                        volume -> assertThat(volume.getPersistentVolumeClaim().getClaimName())
                                .isEqualTo("c-1-x7"));
    }

    @Test
    void etcdHasNoBusinessWithTheApiServer() {
        PodSpec pod = spec(Given.cluster());
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getEnableServiceLinks()).isFalse();
    }

    @Test
    void byDefaultItRunsAsPodSecurityRestrictedAsks() {
        var security = spec(Given.cluster()).getSecurityContext();
        assertThat(security.getRunAsNonRoot()).isTrue();
        assertThat(security.getRunAsUser()).isEqualTo(65532);
        assertThat(security.getRunAsGroup()).isEqualTo(65532);
        assertThat(security.getFsGroup()).isEqualTo(65532);
        assertThat(security.getFsGroupChangePolicy()).isEqualTo("OnRootMismatch");
        assertThat(security.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
    }

    @Test
    void whatTheUserSaysOfSecurityHoldsAndTheRestIsFilledIn() {
        var security = spec(Given.cluster("""
                        podTemplate:
                          securityContext:
                            runAsUser: 1000
                            fsGroup: 2000
                            fsGroupChangePolicy: Always
                            supplementalGroups: [3000]
                            seccompProfile: {type: Localhost, localhostProfile: etcd.json}
                        """)).getSecurityContext();
        assertThat(security.getRunAsUser()).isEqualTo(1000);
        assertThat(security.getFsGroup()).isEqualTo(2000);
        assertThat(security.getFsGroupChangePolicy()).isEqualTo("Always");
        assertThat(security.getSupplementalGroups()).containsExactly(3000L);
        assertThat(security.getSeccompProfile().getType()).isEqualTo("Localhost");
        assertThat(security.getSeccompProfile().getLocalhostProfile()).isEqualTo("etcd.json");
        assertThat(security.getRunAsNonRoot()).isTrue();
        assertThat(security.getRunAsGroup()).isEqualTo(65532);
    }

    @Test
    void podsOfOneClusterPreferDifferentHosts() {
        assertThat(spec(Given.cluster())
                        .getAffinity()
                        .getPodAntiAffinity()
                        .getPreferredDuringSchedulingIgnoredDuringExecution())
                .singleElement()
                .satisfies(preferred -> {
                    assertThat(preferred.getPodAffinityTerm().getTopologyKey()).isEqualTo("kubernetes.io/hostname");
                    assertThat(preferred.getPodAffinityTerm().getLabelSelector().getMatchLabels())
                            .containsExactly(java.util.Map.entry(OURS + "cluster-name", "c"));
                });
    }

    @Test
    void aPodThatIsOnItsWayOutDoesNotKeepItsHost() {
        assertThat(spec(Given.cluster()).getTopologySpreadConstraints())
                .singleElement()
                .satisfies(spread -> {
                    assertThat(spread.getTopologyKey()).isEqualTo("kubernetes.io/hostname");
                    assertThat(spread.getWhenUnsatisfiable()).isEqualTo("ScheduleAnyway");
                });
    }

    @Test
    void theUsersAffinityReplacesOurs() {
        String nodes =
                "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: Exists}]}]}}}";
        for (String spec : new String[] {"podTemplate: {affinity: " + nodes + "}", "affinity: " + nodes}) {
            var affinity = spec(Given.cluster(spec)).getAffinity();
            assertThat(affinity.getPodAntiAffinity()).isNull();
            assertThat(affinity.getNodeAffinity()).isNotNull();
            assertThat(spec(Given.cluster(spec)).getTopologySpreadConstraints()).isEmpty();
        }
    }

    @Test
    void usersAddLabelsAndAnnotationsButNeverReplaceOurs() {
        var metadata = template(Given.founder(Given.cluster("""
                        podTemplate:
                          metadata:
                            labels: {team: storage, app.kubernetes.io/name: mine}
                            annotations: {note: hello}
                        """))).getMetadata();
        assertThat(metadata.getLabels())
                .containsEntry("team", "storage")
                .containsEntry("app.kubernetes.io/name", "etcd")
                .containsEntry(OURS + "peer-name", "c-1");
        assertThat(metadata.getAnnotations())
                .containsEntry("note", "hello")
                .containsEntry(OURS + "initial-cluster-state", "new");
    }

    @Test
    void whoeverWantsItsPodsMovedFromADeadNodeMaySaySo() {
        PodSpec pod = spec(Given.cluster("""
                podTemplate:
                  tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, tolerationSeconds: 60}]
                """));
        assertThat(pod.getTolerations())
                .extracting(Toleration::getKey, Toleration::getTolerationSeconds)
                .containsExactly(
                        tuple("node.kubernetes.io/unreachable", 60L), tuple("node.kubernetes.io/not-ready", null));
    }

    @Test
    void theRestOfThePodTemplateIsTheUsers() {
        PodSpec pod = spec(Given.cluster("""
                podTemplate:
                  nodeSelector: {disk: fast}
                  tolerations: [{key: etcd, operator: Exists}]
                  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]
                  priorityClassName: high
                  imagePullSecrets: [{name: registry}]
                """));
        assertThat(pod.getNodeSelector()).containsEntry("disk", "fast");
        assertThat(pod.getTolerations())
                .extracting(Toleration::getKey)
                .containsExactly("etcd", "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
        assertThat(pod.getTopologySpreadConstraints())
                .singleElement()
                .satisfies(spread -> assertThat(spread.getTopologyKey()).isEqualTo("zone"));
        assertThat(pod.getPriorityClassName()).isEqualTo("high");
        assertThat(pod.getImagePullSecrets())
                .singleElement()
                .satisfies(secret -> assertThat(secret.getName()).isEqualTo("registry"));
    }

    /** What follows .svc is the Kubernetes cluster's own business. */
    @Test
    void noClusterDomainIsWrittenAnywhere() {
        String everything = Serialization.asYaml(of(Given.founder(Given.cluster())))
                + Serialization.asYaml(ClusterServices.headless(Given.cluster()))
                + Serialization.asYaml(ClusterServices.client(Given.cluster()));
        assertThat(everything).contains(".svc:").doesNotContain(".svc.", "cluster.local");
    }

    private static ReplicaSet of(EtcdPeer peer) {
        return PeerReplicaSet.of(peer, IpFamily.IPV4);
    }

    private static PodTemplateSpec template(EtcdPeer peer) {
        return of(peer).getSpec().getTemplate();
    }

    private static PodSpec spec(EtcdCluster cluster) {
        return template(Given.founder(cluster)).getSpec();
    }
}
