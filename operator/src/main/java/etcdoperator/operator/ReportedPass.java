package etcdoperator.operator;

import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.Notice;
import etcdoperator.reconcile.WorkQueue;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A pass that says in a condition of its object when it fails, because then nothing else of it says anything. */
public final class ReportedPass<K, T extends CustomResource<?, ?>> implements WorkQueue.Pass<K> {
    private static final Logger LOG = LoggerFactory.getLogger(ReportedPass.class);
    private static final String OURS = "etcdoperator.";

    /** Packages that read what a person wrote into a field, and say what is wrong with it. */
    private static final List<String> READERS = List.of(OURS + "domain.", OURS + "calendar.");

    private static final int LONGEST = 256;

    private final WorkQueue.Pass<K> pass;
    private final Function<K, Optional<T>> find;
    private final BiFunction<T, String, Optional<T>> failing;
    private final Kube kube;

    /**
     * @param find the object alone: what belongs to it may be what the pass fails on
     * @param failing the object with the condition; empty if it has it
     */
    public ReportedPass(
            WorkQueue.Pass<K> pass,
            Function<K, Optional<T>> find,
            BiFunction<T, String, Optional<T>> failing,
            Kube kube) {
        this.pass = pass;
        this.find = find;
        this.failing = failing;
        this.kube = kube;
    }

    @Override
    public Optional<Duration> run(K key) throws StaleViewException {
        try {
            return pass.run(key);
        } catch (KubernetesClientException e) {
            // The API server does not answer, so that nothing can be written either.
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            report(key, sentence(e));
            throw e;
        }
    }

    private void report(K key, String why) {
        try {
            Optional<T> reporting = find.apply(key).flatMap(object -> failing.apply(object, why));
            if (reporting.isPresent()) {
                T stored = kube.replaceStatus(reporting.get());
                kube.tell(stored, Notice.warning(FailureConditions.REASON, why));
            }
        } catch (StaleViewException | RefusedException | RuntimeException e) {
            LOG.debug("The condition of {} was not written: {}", key, e.toString());
        }
    }

    /**
     * Where it failed. What it failed on is said only of values that could not be read: other messages may have in them
     * what others must not read. The log has all of it.
     */
    private static String sentence(Throwable e) {
        Optional<StackTraceElement> place = Arrays.stream(e.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith(OURS))
                .findFirst();
        boolean unreadable = e instanceof IllegalArgumentException
                && place.filter(frame -> READERS.stream().anyMatch(frame.getClassName()::startsWith))
                        .isPresent();
        String cause = unreadable
                ? shortened(String.valueOf(e.getMessage()))
                : e.getClass().getSimpleName()
                        + place.map(frame -> " in %s.%s"
                                        .formatted(
                                                frame.getClassName().substring(OURS.length()), frame.getMethodName()))
                                .orElse("");
        return ("The operator cannot judge this object (%s) and changes nothing for it; it tries again every 30 seconds."
                        + " Undo the last change of the object, and report what the operator's log says of it")
                .formatted(cause);
    }

    private static String shortened(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }
}
