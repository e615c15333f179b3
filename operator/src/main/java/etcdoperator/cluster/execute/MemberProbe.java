package etcdoperator.cluster.execute;

import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Answer.Silent;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.Pace;
import etcdoperator.etcd.Soundings;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Asks one member, again and again, on a virtual thread of its own: a silent member delays nobody else's answer. */
final class MemberProbe implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    /** Who has no quorum reads in vain, however long it waits. */
    private static final Duration WORRIED_DEADLINE = Duration.ofSeconds(1);

    private static final Duration BEFORE_DOUBTING = Duration.ofMillis(300);
    private static final Duration TIRED = Duration.ofSeconds(2);
    private static final int EAGER_ASKS = 100;

    /** Who starts again answers before that. */
    private static final int ASKS_BEFORE_SOUNDING = 3;

    private final Endpoint endpoint;
    private final EtcdClient client;
    private final MetricsReader metrics;
    private final Clock clock;
    private final Runnable news;
    private final Thread thread;
    private volatile Pace pace = Pace.EAGER;
    private volatile boolean closed;
    private volatile boolean listening;
    private volatile @Nullable Answer answer;

    MemberProbe(Endpoint endpoint, EtcdClient client, Soundings soundings, Clock clock, Runnable news) {
        this.endpoint = endpoint;
        this.client = client;
        this.metrics = new MetricsReader(endpoint, soundings, clock);
        this.clock = clock;
        this.news = news;
        this.thread = Thread.ofVirtual().name("probe " + endpoint.url()).start(this::run);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    Optional<Answer> answer() {
        return Optional.ofNullable(answer);
    }

    /** What was said last is no longer so. */
    void askAgain() {
        LockSupport.unpark(thread);
    }

    /** Who is in more of a hurry than before asks at once. */
    void setPace(Pace wanted) {
        boolean hurry = wanted.compareTo(pace) < 0;
        pace = wanted;
        if (hurry) {
            LockSupport.unpark(thread);
        }
    }

    /** What is being asked is given up at once: an etcd that is told to stop first answers everybody. */
    @Override
    public void close() {
        closed = true;
        client.close();
        LockSupport.unpark(thread);
    }

    private void run() {
        @Nullable Answer told = null;
        int same = 0;
        while (!closed) {
            Answer now = withMetrics(askTwiceBeforeDoubting(), told, same);
            answer = now;
            same++;
            if (!closed && (told == null || !now.saysTheSameAs(told))) {
                told = now;
                same = 0;
                news.run();
            }
            if (now.isWell() && !listening) {
                listening = true;
                client.whenDisconnected(this::disconnected);
            }
            LockSupport.parkNanos(withJitter(interval(same)).toNanos());
        }
    }

    /** One that was started without a quorum lets nobody in, but its metrics tell what it has. */
    private Answer withMetrics(Answer now, @Nullable Answer told, int same) {
        if (now instanceof Spoke spoke && pace == Pace.THOROUGH) {
            return spoke.with(metrics.readIfDue());
        }
        if (!(now instanceof Silent silent) || !(told instanceof Silent before) || silent.denied()) {
            metrics.forget();
            return now;
        }
        return before.metrics().isPresent() || same >= ASKS_BEFORE_SOUNDING ? silent.with(metrics.read()) : silent;
    }

    private void disconnected() {
        listening = false;
        askAgain();
    }

    /** Eagerness that brings nothing new tires: a cluster may be broken for days. */
    private Duration interval(int sameAnswers) {
        return pace != Pace.CALM && sameAnswers > EAGER_ASKS ? TIRED : pace.interval();
    }

    /** One lost answer is noise: it must not turn conditions over and send Events to people. */
    private Answer askTwiceBeforeDoubting() {
        Answer before = answer;
        Answer now = ask();
        if (before == null || !before.isWell() || now.isWell() || pace == Pace.WORRIED) {
            return now;
        }
        LockSupport.parkNanos(BEFORE_DOUBTING.toNanos());
        return pace == Pace.WORRIED ? now : ask();
    }

    private Answer ask() {
        try {
            var status = client.status(DEADLINE);
            if (status.learner()) {
                // It tells its status and refuses all else.
                return new Spoke(clock.instant(), status, List.of(), Optional.empty());
            }
            var members = client.members(DEADLINE);
            return new Spoke(clock.instant(), status, members, readFailure());
        } catch (EtcdException e) {
            return new Silent(clock.instant(), e.why(), isDenial(e));
        } catch (RuntimeException e) {
            // Whatever went wrong, the member was not heard; a probe that ended here would never be heard of again.
            return new Silent(clock.instant(), e.toString());
        }
    }

    private static boolean isDenial(EtcdException e) {
        return e.kind() == EtcdException.Kind.NO_ACCESS;
    }

    /** etcd 3.4 tells its status to anybody; what it denies then says nothing of its health, as with later lines. */
    private Optional<String> readFailure() throws EtcdException {
        try {
            client.linearizableRead(pace == Pace.WORRIED ? WORRIED_DEADLINE : DEADLINE);
            return Optional.empty();
        } catch (EtcdException e) {
            if (isDenial(e)) {
                throw e;
            }
            return Optional.of(e.why());
        }
    }

    /** Two thousand clusters must not be asked in one breath after a restart. */
    private static Duration withJitter(Duration interval) {
        return interval.plusMillis(ThreadLocalRandom.current().nextLong(interval.toMillis() / 10 + 1));
    }
}
