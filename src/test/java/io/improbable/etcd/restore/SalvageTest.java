package io.improbable.etcd.restore;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is done about a restore from the claims of survivors, as a table. */
class SalvageTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cluster            | Settle EtcdCluster c goes on with what is on claim c-1 or c-2
            cluster lost       | Settle EtcdCluster c goes on with what is on claim c-2
            cluster none       | Fail   Claim c-1 and c-2 is gone, being deleted or lost
            cluster old        | Fail   Claim c-1: A backup of etcd 3.4.23 cannot be restored with 3.6.16
            -                  | Fail   EtcdCluster c does not exist
            """)
    void theSurvivorsAreChosen(String given, String expected) {
        assertStep(view().given(given).build(), expected);
    }

    /** Nothing is read while somebody is on the claims. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            LYING_DOWN | cluster                                                | Hold
            LYING_DOWN | cluster held                                           | LayDown
            LYING_DOWN | cluster held rival                                     | Wait Waiting for EtcdRestore first, which is not over
            LYING_DOWN | cluster held foreign                                   | Wait Waiting for another EtcdRestore
            LYING_DOWN | cluster held paused                                    | Wait EtcdCluster c is paused
            LYING_DOWN | cluster held told                                      | Wait Waiting for EtcdCluster c to stop
            LYING_DOWN | cluster held told lies occupied                        | Wait Waiting for Pod c-1 to end
            LYING_DOWN | cluster held told lies none                            | Fail Claim c-1 and c-2 is gone
            LYING_DOWN | held                                                   | Fail its claims are as they were
            LYING_DOWN | cluster held told lies                                 | Enter Nobody is on the claims
            FILLING    | cluster held told lies                                 | MakeClaim
            FILLING    | held                                                   | Fail its claims are as they were
            FILLING    | cluster held told lies none                            | Fail Claim c-1 and c-2 is gone
            FILLING    | cluster held told lies claim owned                     | Survey Looking how far the log on claim c-1 goes
            FILLING    | cluster held told lies claim owned c-1-looked-at       | Survey Looking how far the log on claim c-2 goes
            FILLING    | cluster held told lies claim owned surveyed c-1-looked-at | Wait Waiting for the agent to have looked at claim c-1
            FILLING    | cluster held told lies claim owned surveyed c-1-mute   | Dismiss What was found on claim c-1 is lost
            FILLING    | cluster held told lies claim owned surveyed            | Fill Putting what is on claim c-2 on claim c-0
            FILLING    | cluster held told lies claim owned surveyed c-2-spoilt | Fill Putting what is on claim c-1 on claim c-0
            FILLING    | cluster held told lies claim owned surveyed c-2-unread | Fail Claim c-2 could not be looked at, and may be the one that goes furthest
            FILLING    | cluster held told lies claim owned c-1-spoilt c-2-spoilt | Fail claim c-1 has a damaged log; claim c-2 has a damaged log
            FILLING    | cluster held told lies claim owned lost                | Fill Putting what is on claim c-2 on claim c-0
            FILLING    | cluster held told lies claim owned surveyed straggler  | Wait Waiting for pod back-restore-x
            FILLING    | cluster held told lies claim owned sent                | Wait Waiting for the data of claim c-1
            FILLING    | cluster held told lies claim owned sent lost           | Fail Claim c-1 was gone before it had been read; another EtcdRestore looks at what is left
            FILLING    | cluster held told lies claim owned sent none           | Fail Claim c-1 and c-2 is gone
            FILLING    | cluster held told lies claim owned failed              | Fail The object is corrupt
            FILLING    | cluster held told lies claim deleting                  | Fail Claim c-0 was deleted
            FILLING    | cluster held told lies sent                            | Fail Claim c-0 was deleted
            FILLING    | cluster held claim owned                               | LayDown
            FILLING    | cluster held told lies occupied claim owned            | Wait Waiting for Pod c-1 to end
            FILLING    | cluster held told lies blank                           | LookAgain Looking once more at claim c-2, on which etcd has found nothing
            FILLING    | cluster held told lies looking                         | MakeClaim
            FILLING    | cluster held told lies claim owned sent found          | Correct There is data on claim c-2 after all
            FILLING    | cluster held told lies claim owned sent looking        | Wait Waiting for the data of claim c-1
            FILLING    | cluster held told lies claim owned done                | Disown
            FILLING    | cluster held told lies claim done others               | ListOld Claims c-1 are about to be set aside
            FILLING    | cluster held told lies claim done others none          | ListOld Claims c-1 are about to be set aside
            FILLING    | cluster held told lies claim done others unconfirmed   | Enter EtcdCluster c is judged once more
            FILLING    | cluster held told lies claim done others unconfirmed blank      | LookAgain
            FILLING    | cluster held told lies claim done others unconfirmed looking    | Wait looked once more at claim c-2, on which etcd has found nothing; if its disk is gone for good, delete the claim
            FILLING    | cluster held told lies claim done others unconfirmed found      | Correct There is data on claim c-2 after all
            FILLING    | cluster held told lies claim done others unconfirmed nothing    | Enter Claim c-0 holds the data, nothing is on c-2; EtcdCluster c is judged once more
            FILLING    | cluster held told lies claim done others unconfirmed nothing late | Forget It is too long ago that nothing was found on claim c-2
            CONFIRMING | cluster held told lies claim done others nothing late  | Forget
            FILLING    | cluster held told lies claim owned sent nothing late   | Wait Waiting for the data of claim c-1
            FILLING    | cluster held told lies claim done others unconfirmed unreadable | Fail Claim c-2 could not be looked at once more, and may hold data: cannot be read
            CONFIRMING | cluster held told lies claim done others found         | Correct There is data on claim c-2 after all
            SWAPPING   | cluster held told lies claim done others listed found  | SetAside
            CONFIRMING | cluster held told lies claim done others unconfirmed   | Wait set aside only if too many voters are lost still
            CONFIRMING | cluster held told lies claim done others               | ListOld Claims c-1 are about to be set aside
            CONFIRMING | cluster held told lies occupied claim done others      | Wait Waiting for Pod c-1 to end
            CONFIRMING | cluster held told lies done others unconfirmed         | Fail it has the claims it had
            CONFIRMING | cluster another held told lies claim done others unconfirmed | Fail was deleted and made anew since
            LYING_DOWN | cluster another held                                   | Fail was deleted and made anew since
            SWAPPING   | cluster another held told lies claim done others listed | SetAside
            CONFIRMING | held claim done others unconfirmed                     | Fail its claims are as they were
            SWAPPING   | cluster held told lies claim listed unconfirmed        | HandOver
            SWAPPING   | cluster held told lies claim done others listed        | SetAside
            SWAPPING   | cluster held told lies claim done listed               | HandOver
            SWAPPING   | cluster claim handed held told lies listed             | Remember
            SWAPPING   | cluster claim handed held told lies listed remembers   | Raise
            STARTING   | cluster claim handed remembers available               | Complete
            """)
    void theClusterLiesDownBeforeItsClaimsAreRead(String stage, String given, String expected) {
        assertStep(view().stage(stage).given(given).build(), expected);
    }

    /** As when the majority returns: until its claims are set aside, the cluster can start on them again. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -         | LYING_DOWN | cluster deleted                                 | Rest
            -         | LYING_DOWN | cluster held deleted                            | LetGo
            -         | LYING_DOWN | cluster held told deleted                       | Raise
            -         | FILLING    | cluster held told lies claim owned sent deleted | Dismiss
            -         | FILLING    | cluster held told lies claim done deleted       | Dismiss
            -         | FILLING    | cluster held told lies claim owned deleted      | Raise
            -         | FILLING    | cluster held told lies read deleted             | Dismiss
            -         | FILLING    | cluster held claim deleted                      | Discard
            -         | CONFIRMING | cluster held told lies claim deleted            | Raise
            -         | SWAPPING   | cluster held told lies claim listed deleted     | HandOver
            FAILED    | FILLING    | cluster held told lies claim owned failed       | Dismiss
            FAILED    | FILLING    | cluster held told lies claim owned              | Raise
            FAILED    | FILLING    | cluster held claim owned                        | Discard
            FAILED    | LYING_DOWN | cluster held told lies                          | Raise
            FAILED    | LYING_DOWN | cluster held                                    | LetGo
            """)
    void beforeTheSwapItCanBeCalledOff(String phase, String stage, String given, String expected) {
        assertStep(view().stage(stage).phase(phase).given(given).build(), expected);
    }

    private static void assertStep(RestoreView view, String expected) {
        Step step = Planner.next(view);
        String[] words = expected.split(" +", 2);
        assertThat(step.getClass().getSimpleName()).as(step.reason()).isEqualTo(words[0]);
        assertThat(step.reason()).contains(words.length > 1 ? words[1] : "");
    }

    private static GivenRestore view() {
        return new GivenRestore().inPlace().source("claim: c-1, orClaims: [c-2]");
    }
}
