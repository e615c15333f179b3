package etcdoperator.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.MemberId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlarmTest {
    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "memberID:10276657743932975437 alarm:NOSPACE ,8e9e05c52164694d,NOSPACE",
                "memberID:10276657743932975437  alarm:CORRUPT,8e9e05c52164694d,CORRUPT",
                "memberID:1 alarm:CORRUPT,1,CORRUPT",
                "alarm:NOSPACE ,0,NOSPACE"
            })
    void alarmsAreToldAsEveryLinePrintsThem(String error, String member, Alarm.Kind kind) {
        assertThat(Alarm.parse(error)).contains(new Alarm(MemberId.parse(member), kind));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "etcdserver: no leader", "memberID:1 alarm:SOMETHING", "memberID:1"})
    void otherErrorsAreNone(String error) {
        assertThat(Alarm.parse(error)).isEmpty();
    }

    @Test
    void itSpeaksAsEtcdDoes() {
        assertThat(new Alarm(MemberId.parse("8e9e05c52164694d"), Alarm.Kind.NOSPACE))
                .hasToString("memberID:10276657743932975437 alarm:NOSPACE");
    }
}
