package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://ann:secret@db.example:6543/app?sslmode=require",
                "postgresql://ann:secret@db.example:6543/app?sslmode=require",
                "jdbc:postgresql://ann:secret@db.example:6543/app?sslmode=require",
                "jdbc:postgresql://db.example:6543/app?user=ann&password=secret&sslmode=require"
            })
    void everyFormSaysTheSame(String url) {
        assertThat(DatabaseUrl.parse(url))
                .isEqualTo(new DatabaseUrl("db.example", 6543, "app", "ann", "secret", Map.of("sslmode", "require")));
    }

    @Test
    void thePortIs5432AndTheHostLocalhostUnlessTheUrlSaysOtherwise() {
        assertThat(DatabaseUrl.parse("postgres://ann@/app"))
                .isEqualTo(new DatabaseUrl("localhost", 5432, "app", "ann", "", Map.of()));
    }

    @Test
    void partsArePercentDecodedAndAPlusStaysAPlus() {
        DatabaseUrl url = DatabaseUrl.parse("postgres://an%40n:p%2Fw%3F%C3%A9+@h/my%20app?currentSchema=a%26b");

        assertThat(url.user()).isEqualTo("an@n");
        assertThat(url.password()).isEqualTo("p/w?é+");
        assertThat(url.database()).isEqualTo("my app");
        assertThat(url.parameters()).containsEntry("currentSchema", "a&b");
    }

    @Test
    void anAtSignAndAColonInAPasswordNeedNoEscape() {
        DatabaseUrl url = DatabaseUrl.parse("postgres://ann:p@ss:word@host/app");

        assertThat(url.password()).isEqualTo("p@ss:word");
        assertThat(url.host()).isEqualTo("host");
    }

    @Test
    void anIpv6HostStandsInBrackets() {
        DatabaseUrl url = DatabaseUrl.parse("postgres://ann@[2001:db8::1]:6543/app");

        assertThat(url.host()).isEqualTo("2001:db8::1");
        assertThat(url.address()).isEqualTo("[2001:db8::1]:6543");
    }

    @Test
    void theNamesThatPsqlUsesAreUnderstood() {
        assertThat(DatabaseUrl.parse("postgres://ann@h/app?application_name=x&channel_binding=require")
                        .parameters())
                .isEqualTo(Map.of("ApplicationName", "x", "channelBinding", "require"));
    }

    @Test
    void thePasswordIsNotPrinted() {
        DatabaseUrl url = DatabaseUrl.parse("postgres://ann:hunter2@h/app?sslpassword=hunter3&sslmode=require");

        assertThat(url).hasToString("postgres://ann@h:5432/app?sslmode&sslpassword");
        assertThat(DatabaseOptions.of(url).toString()).doesNotContain("hunter");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://ann:hunter2@h/app",
                "hunter2",
                "postgres://ann:hun/ter2@h/app",
                "postgres://ann:hunter2",
                "postgres://ann:hunter2@h:port/app",
                "postgres://ann:hunter2@h:99999/app",
                "postgres://ann:hunter2@h1,h2/app",
                "postgres://ann:hunter2%@h/app",
                "postgres://ann:hunter2@h/",
                "postgres://ann:hunter2@h",
                "postgres://:hunter2@h/app",
                "postgres://ann:hunter2@h/app/more",
                "postgres://ann:hunter2@h/app?sslmode",
                "postgres://ann:hunter2@h/app?sslmode=on",
                "postgres://ann:hunter2@h/app?ssl_mode=require"
            })
    void aBadUrlIsRefusedInOneSentenceWithoutItsPassword(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DatabaseUrl.parse(url))
                .satisfies(e -> assertThat(e.getMessage())
                        .matches("[^\\n]+\\.")
                        .doesNotContain("hun")
                        .doesNotContain("ter2"))
                .withNoCause();
    }

    @Test
    void aMistakeIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DatabaseUrl.parse("postgres://ann@h/app?ssl_mode=require"))
                .withMessage("The PostgreSQL URL has a parameter that the driver does not know: \"ssl_mode\".");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DatabaseUrl.parse("postgres://h/app"))
                .withMessageContaining("names no user");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DatabaseUrl.parse("postgres://ann@h"))
                .withMessageContaining("names no database");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://ann@localhost/app",
                "postgres://ann@127.0.0.1/app",
                "postgres://ann@127.1.2.3/app?sslmode=disable",
                "postgres://ann@[::1]/app",
                "postgres://ann@[0:0:0:0:0:0:0:1]/app",
                "postgres://ann@db.example/app?sslmode=require",
                "postgres://ann@db.example/app?sslmode=verify-full",
                "jdbc:postgresql://db.example/app?user=ann&ssl=true"
            })
    void loopbackOrTlsIsNotPlaintextBeyondLoopback(String url) {
        assertThat(DatabaseUrl.parse(url).isPlaintextBeyondLoopback()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://ann@db.example/app",
                "postgres://ann@10.0.0.1/app?sslmode=disable",
                "postgres://ann@db.example/app?sslmode=prefer",
                "postgres://ann@db.example/app?sslmode=allow&ssl=true",
                "postgres://ann@[2001:db8::1]/app",
                "postgres://ann@127.0.0.1.example/app",
                "postgres://ann@localhost.example/app",
                "jdbc:postgresql://db.example/app?user=ann&ssl=false"
            })
    void whatMayFallBackToPlaintextOnANetworkIsPlaintext(String url) {
        assertThat(DatabaseOptions.of(url).isPlaintextBeyondLoopback()).isTrue();
    }
}
