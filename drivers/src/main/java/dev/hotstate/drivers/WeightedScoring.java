package dev.hotstate.drivers;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Weighs nearness, idle time and rating, each from 0 to 1. Nearness falls evenly to 0 at the search's radius; idle time
 * counts up to {@code longestIdle}; a driver without a rating has the middle one.
 */
public record WeightedScoring(double distance, double idle, double rating, Duration longestIdle) implements Scoring {
    public static final WeightedScoring DEFAULTS = new WeightedScoring(0.7, 0.15, 0.15, Duration.ofMinutes(30));

    private static final double BEST_RATING = 5;
    private static final double NO_RATING = BEST_RATING / 2;

    public WeightedScoring {
        requireWeight("distance", distance);
        requireWeight("idle", idle);
        requireWeight("rating", rating);
        if (longestIdle.isNegative() || longestIdle.isZero()) {
            throw new IllegalArgumentException("longest_idle must be positive, not " + longestIdle);
        }
    }

    @Override
    public Scored score(Candidate candidate, Search search) {
        double rated = candidate.rating() == null ? NO_RATING : candidate.rating();
        double rested = (double) candidate.idle().toMillis() / longestIdle.toMillis();
        Map<String, Double> why = new LinkedHashMap<>();
        why.put("distance", distance * (1 - candidate.distance() / search.radius()));
        why.put("idle", idle * Math.clamp(rested, 0, 1));
        why.put("rating", rating * rated / BEST_RATING);
        double sum = why.values().stream().mapToDouble(Double::doubleValue).sum();
        return new Scored(candidate, sum, why);
    }

    private static void requireWeight(String field, double value) {
        if (!(value >= 0 && value <= 1000)) {
            throw new IllegalArgumentException(field + " must be from 0 to 1000, not " + value);
        }
    }
}
