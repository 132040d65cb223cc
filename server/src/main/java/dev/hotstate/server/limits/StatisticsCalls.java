package dev.hotstate.server.limits;

import dev.hotstate.limits.Rates;
import dev.hotstate.limits.Tally;
import dev.hotstate.limits.TopSubject;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** {@code /limits/rates} and {@code /limits/top}: what was decided lately, over all instances. */
final class StatisticsCalls {
    private final Tally tally;

    StatisticsCalls(Tally tally) {
        this.tally = tally;
    }

    Answer rates(Request request) {
        return Answer.ok(ShownRates.of(tally.rates()));
    }

    Answer top(Request request) {
        var page = request.page();
        return Answer.ok(Listing.ofRanking(tally.top(TopSubject.MOST), page));
    }

    /** @param points how many each series has, oldest first; the last one ended at {@code until} */
    private record ShownRates(Instant until, Duration step, int points, List<Series> items) {
        static ShownRates of(Rates rates) {
            return new ShownRates(
                    rates.until(),
                    Rates.STEP,
                    Rates.POINTS,
                    rates.byRule().entrySet().stream()
                            .map(rule -> Series.of(rule.getKey(), rule.getValue(), rates.now(rule.getKey())))
                            .toList());
        }
    }

    /** Checks a second, and those of the ten seconds until now. */
    private record Series(
            String rule, Rates.Point now, List<Double> allowed, List<Double> denied, List<Double> shadowDenied) {
        static Series of(String rule, List<Rates.Point> points, Rates.Point now) {
            return new Series(
                    rule,
                    now,
                    each(points, Rates.Point::allowed),
                    each(points, Rates.Point::denied),
                    each(points, Rates.Point::shadowDenied));
        }

        private static List<Double> each(List<Rates.Point> points, ToDoubleFunction<Rates.Point> value) {
            return points.stream().mapToDouble(value).boxed().toList();
        }
    }
}
