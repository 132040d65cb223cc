package dev.hotstate.server.limits;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Caller;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Page;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code /limits/rules}: the whole set at once, read and replaced. */
final class RuleCalls {
    private static final TypeReference<List<@Nullable RuleDocument>> DOCUMENTS = new TypeReference<>() {};
    private static final Pattern VERSION = Pattern.compile("\"?(\\d{1,18})\"?");

    private final LiveRules rules;
    private final LimitNews news;

    RuleCalls(LiveRules rules, LimitNews news) {
        this.rules = rules;
        this.news = news;
    }

    Answer replace(Request request) {
        boolean dryRun = request.queryFlag("dry_run");
        var expected = expectedVersion(request);
        var wanted = RuleSet.checked(request.document(DOCUMENTS));
        var by = request.caller().map(Caller::name).orElse("");
        var applied = dryRun ? rules.tryOut(wanted, expected, by) : rules.apply(wanted, expected, by);
        if (!dryRun && applied.diff().isChange()) {
            news.tellRules(applied.inForce().version());
        }
        return Answer.ok(Report.of(applied)).with("ETag", tag(applied.inForce()));
    }

    Answer list(Request request) {
        var set = wanted(request);
        var page = request.page();
        var after = page.cursor().orElse("");
        var found = set.documents().stream()
                .filter(rule -> String.valueOf(rule.id()).compareTo(after) > 0)
                .limit(page.limit() + 1L)
                .toList();
        return Answer.ok(RuleListing.of(set, found, page)).with("ETag", tag(set));
    }

    private RuleSet wanted(Request request) {
        var text = request.query("version");
        if (text.isEmpty()) {
            return rules.set();
        }
        return rules.find(version("version", text.get()))
                .orElseThrow(() -> Problem.notFound("This version of the rules is not kept."));
    }

    /** {@code If-Match} with the ETag of a set, so that nobody overwrites what he has not seen. */
    private static OptionalLong expectedVersion(Request request) {
        return request.header("If-Match")
                .filter(tag -> !tag.equals("*"))
                .map(tag -> OptionalLong.of(version("If-Match", tag)))
                .orElse(OptionalLong.empty());
    }

    private static long version(String field, String text) {
        var matcher = VERSION.matcher(text);
        if (!matcher.matches()) {
            throw Problem.invalid(field, "must be the version of the rules, a whole number");
        }
        return Long.parseLong(matcher.group(1));
    }

    private static String tag(RuleSet set) {
        return "\"" + set.version() + "\"";
    }

    /**
     * What a PUT did, or with {@code dry_run} would do.
     *
     * @param version the one that is in force now
     */
    private record Report(
            long version,
            List<String> created,
            List<String> updated,
            List<String> deleted,
            int unchanged,
            List<RuleDiff.Change> changes,
            List<RuleDocument> items) {
        static Report of(LiveRules.Applied applied) {
            var diff = applied.diff();
            return new Report(
                    applied.inForce().version(),
                    diff.created(),
                    diff.updated(),
                    diff.deleted(),
                    diff.unchanged(),
                    diff.changes(),
                    applied.wanted().documents());
        }
    }

    private record RuleListing(
            long version,
            @Nullable Instant createdAt,
            @Nullable String createdBy,
            List<RuleDocument> items,
            @Nullable String nextCursor) {
        /** @param oneMore one rule more than was asked for, if there is one */
        static RuleListing of(RuleSet set, List<RuleDocument> oneMore, Page page) {
            var part = Listing.of(oneMore, page, rule -> String.valueOf(rule.id()));
            return new RuleListing(set.version(), set.createdAt(), set.createdBy(), part.items(), part.nextCursor());
        }
    }
}
