package etcdoperator.restore;

import etcdoperator.agentjob.AgentJobReader;
import etcdoperator.api.EtcdRestore;
import etcdoperator.kube.RestoreCache.RestoreObjects;
import etcdoperator.manifest.Ages;
import etcdoperator.manifest.Recoveries;
import etcdoperator.manifest.RestoreJobs;
import etcdoperator.restore.RestoreView.Blank;
import etcdoperator.restore.RestoreView.Learner;
import etcdoperator.restore.RestoreView.Survivor;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is left of a cluster: claims with a member's data, and others of which somebody has said that they have none. */
final class Remains {
    /** A disk may be mounted a moment after somebody has looked, and filling a claim may take hours. */
    private static final Duration LOOK_LASTS = Duration.ofMinutes(1);

    /** What keeps a disk from being read for a moment is over by then. */
    private static final Duration BETWEEN_READINGS = Duration.ofSeconds(30);

    private final RestoreObjects objects;
    private final EtcdRestore restore;
    private final List<PersistentVolumeClaim> claims;

    /** @param claims those that the cluster has */
    Remains(RestoreObjects objects, List<PersistentVolumeClaim> claims) {
        this.objects = objects;
        this.restore = objects.restore();
        this.claims = claims;
    }

    /** In the order in which they are named; one that is on its way out, or went with its node, is as good as gone. */
    List<Survivor> survivors() {
        return restore.getSpec().source().survivors().stream()
                .flatMap(name -> claims.stream()
                        .filter(claim -> claim.getMetadata().getName().equals(name)
                                && !Observer.isDeleting(claim)
                                && !isVolumeLost(claim)))
                .map(claim -> new Survivor(
                        claim.getMetadata().getName(),
                        Observer.version(claim),
                        survey(claim.getMetadata().getName())))
                .toList();
    }

    private Errand survey(String claim) {
        int number = Optional.ofNullable(restore.getStatus())
                .flatMap(status -> Optional.ofNullable(status.chosen()))
                .map(chosen -> chosen.claims().indexOf(claim))
                .orElse(-1);
        return errand(RestoreJobs.surveying(restore.getMetadata().getName(), number));
    }

    /** One that is on its way out, or went with its node, can not be looked at. */
    List<Learner> learners() {
        List<String> learners = Recoveries.learners(restore);
        return claims.stream()
                .filter(claim -> !Observer.isDeleting(claim) && !isVolumeLost(claim))
                .map(claim -> claim.getMetadata().getName())
                .filter(learners::contains)
                .map(claim -> new Learner(
                        claim,
                        errand(RestoreJobs.surveyingVoters(restore.getMetadata().getName(), learners.indexOf(claim)))))
                .toList();
    }

    /** Not those of which there is proof, or which are others by now. */
    List<Blank> blanks(Instant now) {
        List<String> found = Recoveries.foundEmpty(restore);
        List<String> corrupt = Recoveries.foundCorrupt(restore);
        return claims.stream()
                .filter(claim -> !Observer.isDeleting(claim) && !isVolumeLost(claim) && !Ages.isYounger(claim, restore))
                .map(claim -> claim.getMetadata().getName())
                .filter(Recoveries.withoutData(restore)::contains)
                .filter(claim -> found.contains(claim) || corrupt.contains(claim))
                .map(claim -> found.contains(claim)
                        ? empty(claim, found.indexOf(claim), now)
                        : damaged(claim, corrupt.indexOf(claim), now))
                .toList();
    }

    private Blank empty(String claim, int number, Instant now) {
        String job = RestoreJobs.lookingAgain(restore.getMetadata().getName(), number);
        return new Blank(claim, Optional.empty(), true, errand(job), wasJudged(job, now.minus(LOOK_LASTS)));
    }

    private Blank damaged(String claim, int number, Instant now) {
        String first = RestoreJobs.readingDamaged(restore.getMetadata().getName(), number, false);
        String again = RestoreJobs.readingDamaged(restore.getMetadata().getName(), number, true);
        return new Blank(
                claim,
                Optional.of(errand(first)),
                wasJudged(first, now.minus(BETWEEN_READINGS)),
                errand(again),
                wasJudged(again, now.minus(LOOK_LASTS)));
    }

    private boolean wasJudged(String job, Instant before) {
        return AgentJobReader.find(job, objects.jobs(), objects.pods())
                .filter(look -> look.wasJudgedBefore(before))
                .isPresent();
    }

    private boolean isVolumeLost(PersistentVolumeClaim claim) {
        return objects.namesakes().lostVolumes().contains(claim.getMetadata().getName())
                || (claim.getStatus() != null && "Lost".equals(claim.getStatus().getPhase()));
    }

    private Errand errand(String job) {
        return ErrandReader.read(job, objects.jobs(), objects.pods());
    }
}
