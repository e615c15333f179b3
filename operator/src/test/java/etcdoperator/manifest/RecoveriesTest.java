package etcdoperator.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreSpec.RestoreSource;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.manifest.Recoveries.Blanks;
import etcdoperator.manifest.Recoveries.Votes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveriesTest {
    @Test
    void whatIsWrittenDownIsReadAgain() {
        EtcdRestore restore = recovery(List.of("c-1", "c-2"));
        assertThat(Recoveries.isOne(restore)).isTrue();
        assertThat(Recoveries.lost(restore)).contains(new ClusterId(0xc1));
        assertThat(Recoveries.withoutData(restore)).containsExactly("c-1", "c-2");
        assertThat(Recoveries.withoutData(recovery(List.of()))).isEmpty();
        assertThat(Recoveries.foundEmpty(restore)).containsExactly("c-2");
        assertThat(Recoveries.foundEmpty(recovery(List.of("c-1")))).isEmpty();
    }

    /** Nobody owns it, so Argo CD would prune it like a claim. */
    @Test
    void itDoesNotLookLikeAPartOfAnApplication() {
        assertThat(recovery(List.of()).getMetadata().getLabels()).doesNotContainKey("app.kubernetes.io/instance");
    }

    /** Whoever has confirmed the loss before did so without knowing. */
    @Test
    void whatWasFoundAfterAllIsTakenBackWithTheVerdict() {
        EtcdRestore restore = recovery(List.of("c-1", "c-2"));
        Map<String, String> said = new HashMap<>(restore.getMetadata().getAnnotations());
        said.put(Labels.LOSS_CONFIRMED, "2026-11-15T10:00:00Z");
        said.putAll(Recoveries.corrected(restore, List.of("c-2")));
        restore.getMetadata().setAnnotations(said);
        assertThat(Recoveries.withoutData(restore)).containsExactly("c-1");
        assertThat(Recoveries.foundEmpty(restore)).containsExactly("c-2");
        assertThat(Recoveries.confirmedAt(restore)).isEmpty();
    }

    @Test
    void aLossIsConfirmedByATime() {
        assertThat(Recoveries.confirmedAt(confirmed("2026-11-15T10:00:00Z")))
                .contains(Instant.parse("2026-11-15T10:00:00Z"));
        assertThat(Recoveries.confirmedAt(recovery(List.of()))).isEmpty();
    }

    /** Claims are set aside only on what can be read. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "true", "2026-11-15", "2026-11-15T10:00:00", "2026-13-45T10:00:00Z"})
    void whatIsNoTimeConfirmsNothing(String value) {
        assertThat(Recoveries.confirmedAt(confirmed(value))).isEmpty();
    }

    @Test
    void aRestoreWithoutAnnotationsIsNone() {
        EtcdRestore restore = recovery(List.of());
        restore.getMetadata().setAnnotations(null);
        assertThat(Recoveries.isOne(restore)).isFalse();
        assertThat(Recoveries.confirmedAt(restore)).isEmpty();
        assertThat(Recoveries.withoutData(restore)).isEmpty();
    }

    private static EtcdRestore confirmed(String value) {
        EtcdRestore restore = recovery(List.of());
        restore.getMetadata().setAnnotations(Map.of(Labels.RECOVERS, "c1", Labels.LOSS_CONFIRMED, value));
        return restore;
    }

    private static EtcdRestore recovery(List<String> withoutData) {
        return Recoveries.of(
                Given.cluster(),
                "back",
                new ClusterId(0xc1),
                RestoreSource.ofClaims(List.of("c-0")),
                new Blanks(withoutData, withoutData.stream().skip(1).toList(), List.of()),
                Votes.CERTAIN);
    }

    @Test
    void whatDisksHaveToConfirmIsRemembered() {
        EtcdRestore restore = Recoveries.of(
                Given.cluster(),
                "back",
                new ClusterId(0xc1),
                RestoreSource.ofClaims(List.of("c-0")),
                new Blanks(List.of(), List.of(), List.of()),
                new Votes(List.of(new MemberId(0xa0), new MemberId(0xa1)), List.of("c-2-x")));
        assertThat(Recoveries.voters(restore)).containsExactly("a0", "a1");
        assertThat(Recoveries.learners(restore)).containsExactly("c-2-x");
        assertThat(Recoveries.votersFound(restore)).isEmpty();
        restore.getMetadata().setAnnotations(Recoveries.withVotersFound(List.of("a2")));
        assertThat(Recoveries.votersFound(restore)).containsExactly("a2");
    }

    @ParameterizedTest
    @CsvSource({"PT-9S, true", "PT-10S, false", "PT1S, true", "PT5M, false"})
    void aVerdictLastsForAWhileAndNoneComesFromTheFuture(Duration ago, boolean fresh) {
        Instant now = Instant.parse("2026-01-01T12:00:00Z");
        assertThat(Recoveries.isFresh(now.plus(ago), Duration.ofSeconds(10), now))
                .isEqualTo(fresh);
    }
}
