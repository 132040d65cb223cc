package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisAddressTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://127.0.0.1:6379                                  | 127.0.0.1:6379                | STANDALONE | false",
                "redis://user:s3cret@127.0.0.1:6379/3                    | 127.0.0.1:6379                | STANDALONE | false",
                "rediss://:s3cret@127.0.0.1:6380                         | 127.0.0.1:6380                | STANDALONE | true",
                "rediss://127.0.0.1:6380?verify=none                     | 127.0.0.1:6380                | STANDALONE | true",
                "redis-cluster://u:s3cret@127.0.0.1:7001,127.0.0.1:7002  | 127.0.0.1:7001,127.0.0.1:7002 | CLUSTER    | false",
                "rediss-cluster://127.0.0.1:7001,127.0.0.1:7002?verify=ca| 127.0.0.1:7001,127.0.0.1:7002 | CLUSTER    | true",
                "redis-sentinel://:s3cret@127.0.0.1:26379,127.0.0.1:26380#main | 127.0.0.1:26379,127.0.0.1:26380 | SENTINEL | false",
                "rediss-sentinel://127.0.0.1:26379?verify=none#main      | 127.0.0.1:26379               | SENTINEL   | true",
            })
    void aUrlIsReadAndShownWithoutItsPassword(String url, String shown, RedisAddress.Kind kind, boolean tls) {
        RedisAddress address = RedisAddress.parse(url);

        assertThat(address).hasToString(shown);
        assertThat(address.kind()).isEqualTo(kind);
        assertThat(address.isTls()).isEqualTo(tls);
        assertThat(address.isPlaintextBeyondLoopback()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://127.0.0.1:6379                 | it must begin with redis://",
                "127.0.0.1:6379                        | it must begin with redis://",
                "redis://                              | it names no host",
                "redis://:s3cret@127.0.0.1:port        | it cannot be read as redis://",
                "redis-cluster://127.0.0.1:7001,       | it names no host",
                "redis-sentinel://127.0.0.1:26379      | a Sentinel URL ends with its master's name",
                "redis://127.0.0.1:6379?verify=none    | it must begin with rediss",
                "rediss://127.0.0.1:6379?verify=maybe  | verify is full, ca or none, not \"maybe\"",
                "rediss://127.0.0.1:6379?verfy=none    | after ? it knows verify=full",
                "rediss://127.0.0.1:6379?ca=/no/such   | its CA file /no/such cannot be read",
            })
    void aUrlThatCannotBeUsedIsRefusedWithAReason(String url, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisAddress.parse(url))
                .withMessageContaining(reason)
                .withMessageNotContaining("s3cret");
    }

    @Test
    void plaintextToAnotherMachineIsSeen() {
        assertThat(RedisAddress.parse("redis://192.0.2.1:6379").isPlaintextBeyondLoopback())
                .isTrue();
        assertThat(RedisAddress.parse("rediss://192.0.2.1:6379").isPlaintextBeyondLoopback())
                .isFalse();
    }
}
