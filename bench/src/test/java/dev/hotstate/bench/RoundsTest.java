package dev.hotstate.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final Metric SPEED = new Metric("speed", "m/s");
    private static final Pace PACE = new Pace(3, Duration.ofSeconds(7), Duration.ofSeconds(2));

    private final List<String> turns = new ArrayList<>();

    @Test
    void subjectsWarmUpAndThenTakeTurns() {
        new Rounds(PACE).medians(List.of(subject("a", 1, 1, 1, 1), subject("b", 1, 1, 1, 1)));
        assertThat(turns).containsExactly("a 7s", "b 7s", "a 2s", "b 2s", "a 2s", "b 2s", "a 2s", "b 2s");
    }

    @Test
    void aFigureIsTheMedianOfTheRoundsWithoutTheWarmUp() {
        var medians = new Rounds(PACE).medians(List.of(subject("a", 1000, 5, 900, 3)));
        assertThat(medians).isEqualTo(Map.of("a", Map.of(SPEED, 5.0)));
    }

    @Test
    void anEvenNumberOfRoundsHasTheMiddleOfTheTwoMiddleOnes() {
        Pace even = new Pace(4, Duration.ofSeconds(7), Duration.ofSeconds(2));
        var medians = new Rounds(even).medians(List.of(subject("a", 1000, 1, 4, 900, 2)));
        assertThat(medians).isEqualTo(Map.of("a", Map.of(SPEED, 3.0)));
    }

    @Test
    void twoSubjectsOfOneNameAreRefused() {
        assertThatThrownBy(() -> new Rounds(PACE).medians(List.of(subject("a", 1, 1, 1, 1), subject("a", 1))))
                .hasMessage("two subjects are called a");
    }

    /** A subject that measures these values, one a turn. */
    private Subject subject(String name, double... values) {
        Iterator<Double> next = java.util.Arrays.stream(values).iterator();
        return new Subject(name, length -> {
            turns.add(name + " " + length.toSeconds() + "s");
            return Map.of(SPEED, next.next());
        });
    }
}
