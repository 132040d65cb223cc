package dev.hotstate.server.http.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HealthTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-31T12:00:00Z"));

    @Test
    void aCheckThatHangsIsToldAndNotBegunAgain() {
        var begun = new AtomicInteger();
        var never = new CountDownLatch(1);
        var health = new Health(
                List.of(
                        new HealthPart("hangs", true, () -> {
                            begun.incrementAndGet();
                            never.await();
                            return HealthReport.of(HealthStatus.UP, "It came back.");
                        }),
                        new HealthPart("answers", true, () -> HealthReport.of(HealthStatus.UP, "It answers."))),
                CLOCK);
        var document = health.look();
        assertThat(document.status()).isEqualTo("down");
        assertThat(document.parts().get(0)).containsEntry("detail", "It did not answer within a second.");
        assertThat(document.parts().get(1)).containsEntry("status", "up");
        Eventually.until("it looks anew", () -> health.look() != document);
        assertThat(begun).hasValue(1);
        never.countDown();
    }

    @Test
    void aCheckThatFailsIsDown() {
        var health = new Health(
                List.of(new HealthPart("broken", false, () -> {
                    throw new IllegalStateException("refused");
                })),
                CLOCK);
        assertThat(health.look().status()).isEqualTo("degraded");
        assertThat(health.look().parts().getFirst())
                .containsEntry("detail", "The check failed: refused")
                .containsEntry("since", CLOCK.instant());
    }

    @Test
    void aCheckThatCannotEvenRunIsDownAndBegunAgain() {
        var begun = new AtomicInteger();
        var health = new Health(
                List.of(new HealthPart("broken", true, () -> {
                    begun.incrementAndGet();
                    throw new NoClassDefFoundError("Missing");
                })),
                CLOCK);
        var document = health.look();
        assertThat(document.parts().getFirst()).containsEntry("detail", "The check failed: Missing");
        Eventually.until("it looks anew", () -> health.look() != document);
        assertThat(begun).hasValue(2);
    }

    @Test
    void manyWhoLookTogetherCostOneLook() throws Exception {
        var begun = new AtomicInteger();
        var goOn = new CountDownLatch(1);
        var health = new Health(
                List.of(new HealthPart("counted", true, () -> {
                    begun.incrementAndGet();
                    goOn.await();
                    return HealthReport.of(HealthStatus.UP, "It answers.");
                })),
                CLOCK);
        try (var askers = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<HealthDocument>>();
            for (int i = 0; i < 200; i++) {
                answers.add(askers.submit(health::look));
            }
            goOn.countDown();
            for (var answer : answers) {
                assertThat(answer.get().status()).isEqualTo("up");
            }
        }
        assertThat(begun).hasValue(1);
    }

    @Test
    void nothingToLookAtIsUp() {
        assertThat(new Health(List.of(), CLOCK).look()).isEqualTo(new HealthDocument("up", List.of()));
    }
}
