package dev.hotstate.audit.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerTest {
    @Test
    void aVersionThatWasNotToldIsSaidToBeUnknown() {
        assertThat(of("7.2.4").software()).isEqualTo("redis 7.2.4");
        assertThat(of("").software()).isEqualTo("redis of an unknown version");
    }

    private static Server of(String version) {
        return new Server("127.0.0.1:6379", "standalone", "redis", version, List.of());
    }
}
