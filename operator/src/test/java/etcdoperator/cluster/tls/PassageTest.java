package etcdoperator.cluster.tls;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.Transport.Between;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PassageTest {
    private static final int MEMBERS = 3;

    /** @param spec what its peer says, which its next pod is made with */
    private record Member(Between spec, Between pod) {}

    @Test
    void whoeverBeginsHasWhatIsWantedAtOnce() {
        assertThat(Passage.next(true, Set.of())).isEqualTo(Between.REQUIRED);
        assertThat(Passage.next(false, Set.of())).isEqualTo(Between.PLAIN);
    }

    /** Every order in which specs are written, pods are restarted and users change their mind. */
    @Test
    void whoSpeaksOnlyOneAndWhoKnowsOnlyTheOtherNeverLiveSideBySide() {
        Set<List<Member>> reached = reachable();
        assertThat(reached).allSatisfy(mix -> {
            Set<Between> pods = mix.stream().map(Member::pod).collect(Collectors.toSet());
            assertThat(pods.contains(Between.PLAIN) && pods.contains(Between.REQUIRED))
                    .isFalse();
        });
        assertThat(reached).contains(all(Between.PLAIN), all(Between.PREPARED), all(Between.REQUIRED));
    }

    @Test
    void fromEveryMixTheWishIsReached() {
        assertThat(reachable()).allSatisfy(mix -> {
            assertThat(ends(mix, true)).containsExactly(all(Between.REQUIRED));
            assertThat(ends(mix, false)).containsExactly(all(Between.PLAIN));
        });
    }

    private static List<Member> all(Between stage) {
        return IntStream.range(0, MEMBERS)
                .mapToObj(any -> new Member(stage, stage))
                .toList();
    }

    private static Set<List<Member>> reachable() {
        return closure(Set.of(all(Between.PLAIN), all(Between.REQUIRED)), List.of(true, false));
    }

    private static Set<List<Member>> ends(List<Member> mix, boolean wanted) {
        return closure(Set.of(mix), List.of(wanted)).stream()
                .filter(each -> moves(each, wanted).findAny().isEmpty())
                .collect(Collectors.toSet());
    }

    private static Set<List<Member>> closure(Set<List<Member>> from, List<Boolean> wishes) {
        Set<List<Member>> reached = new HashSet<>(from);
        Deque<List<Member>> open = new ArrayDeque<>(from);
        while (!open.isEmpty()) {
            List<Member> mix = open.pop();
            wishes.stream()
                    .flatMap(wish -> moves(mix, wish))
                    .filter(reached::add)
                    .forEach(open::push);
        }
        return reached;
    }

    private static Stream<List<Member>> moves(List<Member> mix, boolean wanted) {
        Between target = Passage.next(
                wanted,
                mix.stream()
                        .flatMap(member -> Stream.of(member.spec(), member.pod()))
                        .collect(Collectors.toSet()));
        return IntStream.range(0, MEMBERS).boxed().flatMap(at -> {
            Member member = mix.get(at);
            return Stream.of(new Member(target, member.pod()), new Member(member.spec(), member.spec()))
                    .filter(next -> !next.equals(member))
                    .map(next -> with(mix, at, next));
        });
    }

    private static List<Member> with(List<Member> mix, int at, Member member) {
        List<Member> changed = new ArrayList<>(mix);
        changed.set(at, member);
        return List.copyOf(changed);
    }
}
