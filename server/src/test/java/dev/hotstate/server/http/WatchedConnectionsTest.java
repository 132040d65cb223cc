package dev.hotstate.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.ConnectionContext;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WatchedConnectionsTest {

    /** What a new version of Helidon adds has a default, which would hide what the connection itself says. */
    @Test
    void allThatAConnectionTellsOfItselfIsPassedOn() {
        assertThat(Arrays.stream(WatchedConnections.Watched.class.getDeclaredMethods()))
                .extracting(Method::getName)
                .containsAll(Arrays.stream(ConnectionContext.class.getMethods())
                        .map(Method::getName)
                        .filter(name -> !name.equals("log"))
                        .toList());
    }
}
