package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LOADING Redis is loading the dataset in memory                    | NOT_RUN",
                "CLUSTERDOWN Hash slot not served                                  | NOT_RUN",
                "READONLY You can't write against a read only replica.             | NOT_RUN",
                "BUSY Redis is busy running a script.                              | NOT_RUN",
                "BUSYGROUP Consumer Group name already exists                      | REFUSED",
                "TRYAGAIN Multiple keys request during rehashing of slot           | MIGRATING",
                "NOSCRIPT No matching script.                                      | NO_SCRIPT",
                "READONLY You can't write against a replica. script: 0a1b, on @user_script:3. | REFUSED",
                "OOM command not allowed when used memory > 'maxmemory'.           | REFUSED",
                "WRONGTYPE Operation against a key holding the wrong kind of value | REFUSED",
            })
    void whatRedisSaysDecidesWhatAFailureMeans(String said, Failure meaning) {
        assertThat(Failure.of(new RedisCommandExecutionException(said))).isEqualTo(meaning);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Currently not connected. Commands are rejected.  | NOT_RUN",
                "Connection is closed                             | NOT_RUN",
                "Unable to connect to 127.0.0.1:1                 | NOT_RUN",
                "Cannot determine a partition for slot 5.         | NOT_RUN",
                "Request queue size exceeded: 10.                 | OVERLOADED",
                "Connection closed                                | UNKNOWN",
                "Connection disconnected                          | UNKNOWN",
            })
    void whatTheClientSaysTellsWhetherACallWasSent(String said, Failure meaning) {
        assertThat(Failure.of(new RedisException(said))).isEqualTo(meaning);
    }

    @Test
    void whatWasSentAndNotAnsweredMayHaveHappened() {
        assertThat(Failure.of(new TimeoutException())).isEqualTo(Failure.UNKNOWN);
        assertThat(Failure.of(new java.io.IOException("Connection reset by peer")))
                .isEqualTo(Failure.UNKNOWN);
        assertThat(Failure.UNKNOWN.isSafeToRepeat()).isFalse();
        assertThat(Failure.UNKNOWN.countsAgainstNode()).isTrue();
    }
}
