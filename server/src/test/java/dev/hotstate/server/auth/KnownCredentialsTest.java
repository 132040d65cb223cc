package dev.hotstate.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.server.http.Caller;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KnownCredentialsTest {
    private static final byte[] KNOWN = new byte[32];
    private static final byte[] UNKNOWN = new byte[32];

    static {
        KNOWN[0] = 1;
        UNKNOWN[0] = 2;
    }

    private final AtomicLong nanos = new AtomicLong(1);
    private final AtomicInteger loads = new AtomicInteger();
    private volatile boolean away;
    private volatile List<Credential> stored =
            List.of(new Credential(KNOWN, false, "tok-1", new Caller(Role.VIEWER, "one"), null));
    private final KnownCredentials known = new KnownCredentials(this::load, nanos::get);

    private List<Credential> load() {
        loads.incrementAndGet();
        if (away) {
            throw new IllegalStateException("PostgreSQL is away");
        }
        return stored;
    }

    @Test
    void manyCallsCostOneQuery() {
        for (int i = 0; i < 1000; i++) {
            assertThat(known.find(KNOWN)).isPresent();
        }
        assertThat(loads).hasValue(1);
    }

    @Test
    void manyWrongTokensCostOneQueryEachQuarterOfASecond() {
        for (int i = 0; i < 1000; i++) {
            assertThat(known.find(UNKNOWN)).isEmpty();
        }
        assertThat(loads).hasValue(1);
        pass(Duration.ofMillis(260));
        for (int i = 0; i < 1000; i++) {
            assertThat(known.find(UNKNOWN)).isEmpty();
        }
        assertThat(loads).hasValue(2);
    }

    @Test
    void aTokenRevokedElsewhereDiesWithinFiveSeconds() {
        assertThat(known.find(KNOWN)).isPresent();
        stored = List.of();
        pass(Duration.ofMillis(5001));
        assertThat(known.find(KNOWN)).isEmpty();
    }

    @Test
    void aTokenRevokedHereDiesAtOnce() {
        assertThat(known.find(KNOWN)).isPresent();
        stored = List.of();
        pass(Duration.ofNanos(1));
        known.forget();
        assertThat(known.find(KNOWN)).isEmpty();
    }

    @Test
    void aHashThatOnlyBeginsTheSameIsAnother() {
        var other = KNOWN.clone();
        other[31] = 9;
        assertThat(known.find(other)).isEmpty();
    }

    @Test
    void anOutageLocksNobodyOutForFifteenMinutes() {
        assertThat(known.find(KNOWN)).isPresent();
        away = true;
        pass(Duration.ofMinutes(14));
        assertThat(known.find(KNOWN)).isPresent();
        assertThatThrownBy(() -> known.find(UNKNOWN))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.status()).isEqualTo(503));
        pass(Duration.ofMinutes(2));
        assertThatThrownBy(() -> known.find(KNOWN)).isInstanceOf(Problem.class);
    }

    @Test
    void anOutageFromTheBeginningIsTemporary() {
        away = true;
        assertThatThrownBy(() -> known.find(KNOWN)).isInstanceOf(Problem.class);
        away = false;
        pass(Duration.ofMillis(300));
        assertThat(known.find(KNOWN)).isPresent();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
