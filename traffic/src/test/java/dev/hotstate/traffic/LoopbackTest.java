package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.8.7",
                "::1",
                "0:0:0:0:0:0:0:1",
                "[0:0:0:0:0:0:0:1]",
                "[::1]",
                "0:0:0:0:0:0:0:1%lo",
                "[0:0:0:0:0:0:0:1%0]",
                "::ffff:127.0.0.1"
            })
    void thisMachineIsKnownHoweverItsAddressIsWritten(String address) {
        assertThat(Loopback.is(address)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.127", "[2001:db8:0:0:0:0:0:1]", "::10", "[0:0:0:0:0:0:0:11]", "1.127.0.0", ""})
    void othersAreNot(String address) {
        assertThat(Loopback.is(address)).isFalse();
    }
}
