package dev.hotstate.drivers;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A candidate and, where they were ordered by it, its score.
 *
 * @param why what each part adds to the score, by name
 */
public record Scored(Candidate candidate, @Nullable Double score, Map<String, Double> why) {
    public static Scored byDistance(Candidate candidate) {
        return new Scored(candidate, null, Map.of());
    }
}
