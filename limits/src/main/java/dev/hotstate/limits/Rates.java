package dev.hotstate.limits;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How often rules allowed and denied, over all instances: {@value #POINTS} points of ten seconds, oldest first. The last
 * one is the newest that is over, so it is up to ten seconds old and will not change; beside them stands what is now.
 *
 * @param until when the last point ended, by Redis's time
 * @param byRule the points of each rule that was asked at all in that time, or since
 * @param now the last ten seconds of each of them: the step under way, and of the last one as much as is missing, as if
 *     that had been even. An instance tells what it counted once a second, so it is a second old
 */
public record Rates(Instant until, SortedMap<String, List<Point>> byRule, SortedMap<String, Point> now) {
    /** What one point covers. */
    public static final Duration STEP = Duration.ofSeconds(10);
    /** Fifteen minutes. */
    public static final int POINTS = 90;

    /**
     * Checks a second. One that had room in a call that another rule denied counts as nothing.
     *
     * @param shadowDenied let through, though the rule would have denied were it not in shadow
     */
    public record Point(double allowed, double denied, double shadowDenied) {
        static final Point NONE = new Point(0, 0, 0);
    }

    public Rates {
        byRule = Collections.unmodifiableSortedMap(new TreeMap<>(byRule));
        now = Collections.unmodifiableSortedMap(new TreeMap<>(now));
    }

    /**
     * @param past what each rule did in each step, oldest first
     * @param underWay what it did in the step under way, of which so large a share is over
     */
    static Rates of(Instant until, List<Map<String, TallyRule>> past, Map<String, TallyRule> underWay, double share) {
        SortedMap<String, List<Point>> byRule = new TreeMap<>();
        underWay.keySet().forEach(rule -> byRule.put(rule, nothing(past.size())));
        for (int i = 0; i < past.size(); i++) {
            int step = i;
            past.get(i)
                    .forEach((rule, counts) -> byRule.computeIfAbsent(rule, r -> nothing(past.size()))
                            .set(step, counts.perSecond()));
        }
        byRule.replaceAll((rule, points) -> List.copyOf(points));
        SortedMap<String, Point> now = new TreeMap<>();
        for (String rule : byRule.keySet()) {
            TallyRule last = past.getLast().getOrDefault(rule, TallyRule.NONE);
            now.put(rule, underWay.getOrDefault(rule, TallyRule.NONE).perSecond(last, 1 - share));
        }
        return new Rates(until, byRule, now);
    }

    /** The points of one rule, whether it was asked or not. */
    public List<Point> of(String rule) {
        return byRule.getOrDefault(rule, Collections.nCopies(POINTS, Point.NONE));
    }

    /** One rule now, whether it was asked or not. */
    public Point now(String rule) {
        return now.getOrDefault(rule, Point.NONE);
    }

    private static List<Point> nothing(int steps) {
        return new ArrayList<>(Collections.nCopies(steps, Point.NONE));
    }
}
