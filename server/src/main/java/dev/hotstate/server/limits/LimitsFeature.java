package dev.hotstate.server.limits;

import dev.hotstate.core.Service;
import dev.hotstate.limits.LimitKeys;
import dev.hotstate.limits.RateLimiter;
import dev.hotstate.limits.RuleSource;
import dev.hotstate.limits.Tally;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.server.http.Admission;
import dev.hotstate.server.http.Routes;
import dev.hotstate.server.http.ops.HealthPart;
import dev.hotstate.server.http.ops.HealthReport;
import dev.hotstate.server.http.ops.HealthStatus;
import dev.hotstate.store.MigrationSet;
import java.util.List;
import java.util.Optional;

/** Rate limits: rules from PostgreSQL, decided in Redis, called over HTTP. */
public final class LimitsFeature implements Feature {

    @Override
    public String name() {
        return "limits";
    }

    @Override
    public Service keys() {
        return LimitKeys.SERVICE;
    }

    @Override
    public List<MigrationSet> migrations() {
        return List.of(MigrationSet.of("limits"));
    }

    @Override
    public Running start(Backbone backbone) {
        var rules = LiveRules.load(new PostgresRules(backbone.database()), backbone.clock(), backbone.meters());
        var tally = new Tally(backbone.redis());
        try {
            return begin(backbone, rules, tally);
        } catch (RuntimeException | Error failed) {
            tally.close();
            throw failed;
        }
    }

    private static Running begin(Backbone backbone, LiveRules rules, Tally tally) {
        var limiters = new Limiters(
                new RateLimiter(backbone.redis(), rules, backbone.meters(), tally), ownLimit(backbone, tally));
        rules.follow();
        var news = LimitNews.listen(backbone.instance(), backbone.events(), limiters, rules);
        return new AtWork(rules, tally, limiters, news);
    }

    private static Optional<RequestLimit> ownLimit(Backbone backbone, Tally tally) {
        int perSecond = backbone.settings().rateLimit();
        if (perSecond == 0) {
            return Optional.empty();
        }
        var rule = RuleSource.of(RequestLimit.rule(perSecond));
        return Optional.of(new RequestLimit(new RateLimiter(backbone.redis(), rule, backbone.meters(), tally)));
    }

    private record AtWork(LiveRules rules, Tally tally, Limiters limiters, LimitNews news) implements Running {
        @Override
        public List<Routes> routes() {
            return List.of(new LimitRoutes(
                    new RuleCalls(rules, news), new CheckCalls(limiters, news), new StatisticsCalls(tally)));
        }

        @Override
        public List<HealthPart> health() {
            return List.of(new HealthPart("limits", false, this::report));
        }

        @Override
        public Optional<Admission> admission() {
            return limiters.own().map(limit -> limit);
        }

        @Override
        public void close() {
            news.close();
            limiters.close();
            tally.close();
            rules.close();
        }

        private HealthReport report() {
            var set = rules.set();
            boolean fresh = rules.isFresh();
            return HealthReport.of(
                            fresh ? HealthStatus.UP : HealthStatus.DEGRADED,
                            fresh ? "The rules are followed." : "The rules cannot be read; the last known ones stay.")
                    .withFigure("rules", set.documents().size())
                    .withFigure("version", set.version());
        }
    }
}
