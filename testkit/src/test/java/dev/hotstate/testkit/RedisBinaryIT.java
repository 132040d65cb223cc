package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RedisBinaryIT {

    @Test
    void anotherServerIsUsedWhereItsProgramIsNamed() {
        String program = RedisBinary.path().toString();

        assertThat(RedisBinary.named(program)).hasToString(program);
    }

    @Test
    void whatIsNoProgramIsRefusedByName() {
        assertThatThrownBy(() -> RedisBinary.named("/no/such/redis-server"))
                .hasMessage("HOTSTATE_TESTKIT_REDIS is /no/such/redis-server, which is no program");
    }
}
