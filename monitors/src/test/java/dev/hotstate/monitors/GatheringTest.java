package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatheringTest {
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final ConcurrentLinkedQueue<List<Integer>> trips = new ConcurrentLinkedQueue<>();

    @AfterEach
    void end() {
        callers.close();
    }

    @Test
    void oneWhoMeetsNobodyGoesAlone() {
        Gathering<Integer, String> gathering = new Gathering<>(10, this::texts);

        assertThat(gathering.bring(7)).isEqualTo("7");
        assertThat(trips).containsExactly(List.of(7));
    }

    @Test
    void thoseWhoComeDuringATripGoTogetherAndEachGetsItsAnswer() throws Exception {
        CountDownLatch back = new CountDownLatch(1);
        Gathering<Integer, String> gathering = new Gathering<>(10, asked -> {
            List<String> answers = texts(asked);
            await(back);
            return answers;
        });
        Future<String> first = callers.submit(() -> gathering.bring(0));
        Eventually.until("the first is on its way", () -> trips.size() == 1);

        List<Future<String>> others = new ArrayList<>();
        for (int i = 1; i <= 25; i++) {
            int number = i;
            others.add(callers.submit(() -> gathering.bring(number)));
            Eventually.until("it waits", () -> gathering.waiting() == number);
        }
        back.countDown();

        assertThat(first.get()).isEqualTo("0");
        for (int i = 0; i < others.size(); i++) {
            assertThat(others.get(i).get()).isEqualTo(Integer.toString(i + 1));
        }
        assertThat(trips).extracting(List::size).containsExactly(1, 10, 10, 5);
    }

    @Test
    void aTripThatFailsFailsForAllWhoAreOnItOrWait() {
        CountDownLatch back = new CountDownLatch(1);
        Gathering<Integer, String> gathering = new Gathering<>(1, asked -> {
            texts(asked);
            await(back);
            throw new IllegalStateException("no way");
        });
        Future<String> first = callers.submit(() -> gathering.bring(0));
        Eventually.until("the first is on its way", () -> trips.size() == 1);
        Future<String> second = callers.submit(() -> gathering.bring(1));
        Eventually.until("the second waits", () -> gathering.waiting() == 1);
        back.countDown();

        assertThatThrownBy(first::get).rootCause().hasMessage("no way");
        assertThatThrownBy(second::get).rootCause().hasMessage("no way");
        assertThat(trips).hasSize(1);
    }

    @Test
    void oneWhoIsInterruptedTakesNobodyAlong() throws Exception {
        CountDownLatch back = new CountDownLatch(1);
        Gathering<Integer, String> gathering = new Gathering<>(10, asked -> {
            List<String> answers = texts(asked);
            await(back);
            return answers;
        });
        CompletableFuture<Throwable> stopped = new CompletableFuture<>();
        Thread hurried = Thread.startVirtualThread(() -> {
            try {
                gathering.bring(0);
            } catch (RuntimeException interrupted) {
                stopped.complete(interrupted);
            }
        });
        Eventually.until("it is on its way", () -> trips.size() == 1);
        Future<String> other = callers.submit(() -> gathering.bring(1));

        hurried.interrupt();
        assertThat(stopped.get()).hasMessageContaining("interrupted");
        back.countDown();

        assertThat(other.get()).isEqualTo("1");
    }

    private List<String> texts(List<Integer> asked) {
        trips.add(asked);
        return asked.stream().map(Object::toString).toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
