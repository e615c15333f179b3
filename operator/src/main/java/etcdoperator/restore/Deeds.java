package etcdoperator.restore;

import etcdoperator.agentjob.AgentJobReader;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.TlsSpec;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.RestoredIds;
import etcdoperator.domain.Scheme;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.ClaimMark;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.RestoreCache.RestoreObjects;
import etcdoperator.manifest.AgentSetup;
import etcdoperator.manifest.Claims;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Recoveries;
import etcdoperator.manifest.RestoreJobs;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Carries a step of a restore out. Whatever was changed since it was looked at, is not changed again unseen. */
final class Deeds {
    private final RestoreObjects objects;
    private final EtcdRestore restore;
    private final Observer observer;
    private final Kube kube;
    private final AgentSetup setup;

    Deeds(RestoreObjects objects, Observer observer, Kube kube, AgentSetup setup) {
        this.objects = objects;
        this.restore = objects.restore();
        this.observer = observer;
        this.kube = kube;
        this.setup = setup;
    }

    void carryOut(Step step) throws StaleViewException, RefusedException {
        switch (step) {
            case Step.Inspect s -> kube.create(jobs().inspect());
            case Step.MakeClaim s ->
                kube.create(
                        Claims.forRestore(restore, s.claimName(), clusterSpec().storage(), s.version(), s.scheme()));
            case Step.Survey s -> kube.create(jobs().survey(observer.clusterKey(), clusterSpec(), s.claim()));
            case Step.SurveyVoters s ->
                kube.create(jobs().surveyVoters(observer.clusterKey(), clusterSpec(), s.claim()));
            case Step.NoteVoters s -> kube.annotate(restore, Recoveries.withVotersFound(s.found()));
            case Step.LookAgain s -> kube.create(jobs().lookAgain(observer.clusterKey(), clusterSpec(), s.claim()));
            case Step.Forget s -> forget(s.claim());
            case Step.Correct s -> kube.annotate(restore, Recoveries.corrected(restore, s.found()));
            case Step.Fill s -> kube.create(fill(s.survivor()));
            case Step.HandOver s -> kube.mark(claim(), handedOver(claim()));
            case Step.Disown s -> kube.mark(claim(), new ClaimMark(Map.of(), Set.of(), Map.of(), true));
            case Step.MakeCluster s -> kube.create(cluster());
            case Step.Hold s -> kube.bind(restore, finalizers(true), owners());
            case Step.LetGo s -> letGo();
            case Step.LayDown s ->
                kube.annotate(
                        target(), Map.of(Labels.RESTORING, restore.getMetadata().getName() + "/" + uid()));
            case Step.SetAside s -> {
                requireClusterAsSeen();
                setAside(s.claims());
            }
            case Step.PutBack s -> {
                requireClusterAsSeen();
                putBack(s.claims());
            }
            case Step.Remember s -> remember(s.clusterId());
            case Step.Raise s -> raise(s.swapped());
            case Step.Dismiss s -> dismiss();
            case Step.Discard s -> kube.delete(claim());
            case Step.Choose s -> {}
            case Step.Settle s -> {}
            case Step.Enter s -> {}
            case Step.ListOld s -> {}
            case Step.Complete s -> {}
            case Step.Fail s -> {}
            case Step.Wait s -> {}
            case Step.Rest s -> {}
        }
    }

    private void letGo() throws StaleViewException, RefusedException {
        if (restore.getMetadata().getDeletionTimestamp() != null) {
            // It may have been told to lie down for this one.
            requireClusterAsSeen();
        }
        kube.bind(restore, finalizers(false), owners());
    }

    /** On a claim that was lost unseen nobody could start; the others are to be put back then. */
    private void raise(boolean swapped) throws StaleViewException, RefusedException {
        if (swapped) {
            kube.mark(claim(), new ClaimMark(Map.of(), Set.of(), Map.of(), false));
        }
        kube.annotate(target(), raised(swapped));
    }

    /** Changes nothing of the cluster, but fails if it was changed unseen: another operator may be ahead of this one. */
    private void requireClusterAsSeen() throws StaleViewException, RefusedException {
        if (observer.cluster().isPresent()) {
            kube.annotate(target(), Map.of());
        }
    }

    private void dismiss() throws StaleViewException, RefusedException {
        String inspection = RestoreJobs.inspection(restore.getMetadata().getName());
        for (Job job : objects.jobs()) {
            boolean toBeRead = job.getMetadata().getName().equals(inspection) && isOver(job);
            if (!toBeRead) {
                kube.delete(job);
            }
        }
    }

    private boolean isOver(Job job) {
        var reader = new AgentJobReader(job, objects.pods());
        return reader.isDone() || reader.failure().isPresent();
    }

    private void forget(String claim) throws StaleViewException, RefusedException {
        String look = RestoreJobs.lookingAgain(
                restore.getMetadata().getName(), Recoveries.foundEmpty(restore).indexOf(claim));
        for (Job job : objects.jobs()) {
            if (job.getMetadata().getName().equals(look)) {
                kube.delete(job);
            }
        }
    }

    private Job fill(Optional<String> survivor) throws StaleViewException {
        RestoreJobs.Content content = observer.content(claim());
        return survivor.isPresent()
                ? jobs().salvage(content, clusterSpec(), survivor.get(), written(survivor.get(), content))
                : jobs().fill(content, clusterSpec());
    }

    private EtcdVersion written(String survivor, RestoreJobs.Content content) {
        return observer.remains().survivors().stream()
                .filter(each -> each.claim().equals(survivor))
                .flatMap(each -> each.version().stream())
                .findFirst()
                .orElse(content.version());
    }

    private RestoreJobs jobs() {
        return new RestoreJobs(restore, Objects.requireNonNull(observer.status().chosen()), setup);
    }

    /** In one write: from that moment on the claim is a member's, with all that anybody must know of it. */
    private ClaimMark handedOver(PersistentVolumeClaim claim) {
        RestoredIds ids = observer.ids(claim);
        var key = observer.clusterKey();
        return new ClaimMark(
                Labels.ofClaim(key, new PeerName(key.name(), 0)),
                Set.of(),
                Claims.heldBy(ids.clusterId(), ids.memberId()),
                true);
    }

    /** With the name of the restore in place of the cluster's, by which it can find them again. */
    private void setAside(List<String> names) throws StaleViewException, RefusedException {
        String name = restore.getMetadata().getName();
        var mark = new ClaimMark(
                Map.of(Labels.RESTORE, name),
                Set.of(Labels.CLUSTER, Labels.PEER),
                Map.of(Labels.SET_ASIDE_BY, name),
                false);
        for (PersistentVolumeClaim claim : observer.otherClaims()) {
            if (names.contains(claim.getMetadata().getName())) {
                kube.mark(claim, mark);
            }
        }
    }

    /** The slot that a claim is for is in its name. */
    private void putBack(List<String> names) throws StaleViewException, RefusedException {
        var key = observer.clusterKey();
        for (PersistentVolumeClaim claim : observer.asideClaims()) {
            String name = claim.getMetadata().getName();
            if (names.contains(name)) {
                Map<String, String> labels = PeerName.ofClaim(key.name(), name)
                        .map(peer -> Labels.ofClaim(key, peer))
                        .orElseGet(() -> Labels.ofUnowned(key));
                kube.mark(claim, new ClaimMark(labels, Set.of(), Map.of(Labels.SET_ASIDE_BY, ""), false));
            }
        }
    }

    /** As the template has it; the claim says what else was settled when it was made. */
    private EtcdCluster cluster() throws StaleViewException {
        boolean tls = observer.content(claim()).scheme() == Scheme.HTTPS;
        EtcdClusterSpec asked = clusterSpec()
                .withVersion(Objects.requireNonNull(observer.status().version()));
        var cluster = new EtcdCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withNamespace(observer.clusterKey().namespace())
                .withName(observer.clusterKey().name())
                .addToAnnotations(Labels.RESTORED_BY, uid())
                .build());
        cluster.setSpec(asked.tls() == null && tls ? asked.withTls(TlsSpec.MANAGED) : asked);
        return cluster;
    }

    /** Of the members from before nothing is true any more; the lock stays until the cluster starts. */
    private void remember(ClusterId clusterId) throws StaleViewException, RefusedException {
        EtcdCluster cluster = target();
        var before = Objects.requireNonNullElse(cluster.getStatus(), EtcdClusterStatus.EMPTY);
        var changed = new EtcdCluster();
        changed.setMetadata(cluster.getMetadata());
        changed.setSpec(cluster.getSpec());
        changed.setStatus(new EtcdClusterStatus(
                before.observedGeneration(),
                before.replicas(),
                before.readyReplicas(),
                before.selector(),
                List.of(),
                null,
                clusterId.toString(),
                null,
                before.endpoints(),
                before.operation(),
                before.conditions()));
        kube.replaceStatus(changed);
    }

    private Map<String, String> raised(boolean swapped) {
        Map<String, String> annotations = new TreeMap<>(Map.of(Labels.RESTORING, ""));
        if (swapped) {
            annotations.put(Labels.CLAIM_SEED, uid());
        }
        return annotations;
    }

    private List<String> finalizers(boolean held) {
        Stream<String> others = restore.getMetadata().getFinalizers().stream()
                .filter(finalizer -> !finalizer.equals(Observer.FINALIZER));
        return Stream.concat(others, held ? Stream.of(Observer.FINALIZER) : Stream.empty())
                .toList();
    }

    private List<OwnerReference> owners() {
        return restore.getMetadata().getOwnerReferences();
    }

    private EtcdClusterSpec clusterSpec() throws StaleViewException {
        EtcdClusterSpec template = restore.getSpec().clusterTemplate().spec();
        return template == null ? target().getSpec() : template;
    }

    private EtcdCluster target() throws StaleViewException {
        return observer.cluster().orElseThrow(() -> new StaleViewException("the cluster is gone"));
    }

    private PersistentVolumeClaim claim() throws StaleViewException {
        return observer.claim().orElseThrow(() -> new StaleViewException("the claim is gone"));
    }

    private String uid() {
        return restore.getMetadata().getUid();
    }
}
