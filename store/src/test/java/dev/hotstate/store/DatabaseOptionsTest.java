package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DatabaseOptionsTest {
    private static final DatabaseOptions OPTIONS = DatabaseOptions.of("postgres://ann@localhost/app");

    @Test
    void theDefaultsAreModest() {
        assertThat(OPTIONS.maxConnections()).isEqualTo(10);
        assertThat(OPTIONS.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(OPTIONS.queryTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(OPTIONS.applicationName()).isEqualTo("hotstate");
    }

    @Test
    void theUrlMayNameTheApplicationAndTheTimeToConnect() {
        DatabaseOptions options = DatabaseOptions.of("postgres://ann@h/app?application_name=billing&connect_timeout=9");

        assertThat(options.applicationName()).isEqualTo("billing");
        assertThat(options.connectTimeout()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void badValuesAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.withMaxConnections(0))
                .withMessage("maxConnections must be from 1 to 1000, not 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.withConnectTimeout(Duration.ofMillis(10)))
                .withMessage("connectTimeout must be from 1 s to 1 h, not PT0.01S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.withQueryTimeout(Duration.ZERO))
                .withMessageStartingWith("queryTimeout must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.withApplicationName(" "))
                .withMessage("applicationName must not be blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DatabaseOptions.of("postgres://ann@h/app?connect_timeout=soon"))
                .withMessageContaining("\"soon\"");
    }
}
