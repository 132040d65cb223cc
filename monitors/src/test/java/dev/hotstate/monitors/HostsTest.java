package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HostsTest {
    private final Hosts hosts = new Hosts(2);

    @Test
    void aHostHasSoManyPlacesAndAnotherHasItsOwn() throws InterruptedException {
        assertThat(hosts.enter("a", Duration.ZERO)).isTrue();
        assertThat(hosts.enter("a", Duration.ZERO)).isTrue();
        assertThat(hosts.enter("a", Duration.ZERO)).isFalse();
        assertThat(hosts.enter("b", Duration.ZERO)).isTrue();

        hosts.leave("a");

        assertThat(hosts.enter("a", Duration.ZERO)).isTrue();
    }

    @Test
    void aHostThatNobodyAsksIsForgotten() throws InterruptedException {
        hosts.enter("a", Duration.ZERO);
        hosts.enter("a", Duration.ZERO);
        hosts.enter("a", Duration.ZERO);
        hosts.leave("a");
        assertThat(hosts.known()).isEqualTo(1);

        hosts.leave("a");

        assertThat(hosts.known()).isZero();
    }

    @Test
    void whoeverWaitsGetsThePlaceThatIsLeft() throws InterruptedException {
        hosts.enter("a", Duration.ZERO);
        hosts.enter("a", Duration.ZERO);
        Thread leaver = Thread.ofVirtual().start(() -> hosts.leave("a"));

        assertThat(hosts.enter("a", Duration.ofSeconds(30))).isTrue();
        leaver.join();
    }
}
