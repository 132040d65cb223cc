package dev.hotstate.drivers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.InvalidDocumentException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ListAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What does not fit is refused where a value is made, by the name of its field. */
class ValuesTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    @Test
    void aFixSaysEverythingThatIsWrongWithIt() {
        assertThatFieldsOf(() -> new Fix("a/b", 91, Double.NaN, -1L, Instant.EPOCH.minusMillis(1), 361.0, -1.0))
                .containsExactly("id", "lat", "lon", "seq", "at", "heading", "speed");
        assertThatFieldsOf(() -> Fix.of("..", 85.06, -180.1)).containsExactly("id", "lat", "lon");
        assertThatFieldsOf(() -> new Fix("a", 0, 0, null, Instant.MAX, null, null))
                .containsExactly("at");
        assertThatFieldsOf(() -> new Fix("a", 0, 0, 1L << 53, null, null, null)).containsExactly("seq");
        assertThatCode(() -> new Fix("a", 0, 0, (1L << 53) - 1, null, null, null))
                .doesNotThrowAnyException();
        assertThatCode(() -> Fix.of("a.B_c-9", -Cell.MOST_LAT, 180)).doesNotThrowAnyException();
    }

    @Test
    void aSearchIsWithinItsRadiusAndLimit() {
        assertThatFieldsOf(() -> search(-1, 0, "a tag")).containsExactly("radius", "limit", "tag");
        assertThatFieldsOf(() -> search(0, 1_001, null)).containsExactly("radius", "limit");
        assertThatFieldsOf(() -> search(Double.NaN, 1, null)).containsExactly("radius");
        assertThatFieldsOf(() -> search(500_000.1, 1, null)).containsExactly("radius");
        assertThatCode(() -> search(500_000, 1_000, "van")).doesNotThrowAnyException();
    }

    @Test
    void aWishIsForAFewAndForAWhile() {
        assertThatFieldsOf(() -> new Wish(0, 0, 1, 101, null, Duration.ofMillis(999), " "))
                .containsExactly("count", "lease", "holder");
        assertThatFieldsOf(() -> new Wish(0, 0, 1, 0, "", Duration.ofHours(1).plusMillis(1), "x".repeat(65)))
                .containsExactly("count", "lease", "holder", "tag");
        assertThatCode(() -> new Wish(0, 0, 1, 100, null, LEASE, "x".repeat(64)))
                .doesNotThrowAnyException();
    }

    @Test
    void aProfileHasFewTagsAndEachOnce() {
        assertThatFieldsOf(() -> new Profile("", "\n", 5.1, List.of("van", "van")))
                .contains("name", "vehicle", "rating", "tags");
        assertThatFieldsOf(() -> new Profile(null, null, null, List.of("van", "a,b")))
                .containsExactly("tags[1]");
    }

    @Test
    void aBoxMayCrossTheAntimeridianButNotItself() {
        assertThatFieldsOf(() -> new Box(1, -181, 0, 0)).containsExactly("west", "south");
        assertThatCode(() -> new Box(-10, 170, 10, -170)).doesNotThrowAnyException();
    }

    private static Search search(double radius, int limit, String tag) {
        return new Search(0, 0, radius, limit, tag, Search.Order.DISTANCE);
    }

    private static ListAssert<String> assertThatFieldsOf(ThrowingCallable made) {
        return assertThat(
                org.assertj.core.api.Assertions.catchThrowableOfType(InvalidDocumentException.class, made)
                        .flaws()
                        .stream()
                        .map(Flaw::field)
                        .toList());
    }
}
