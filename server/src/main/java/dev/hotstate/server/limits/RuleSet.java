package dev.hotstate.server.limits;

import dev.hotstate.limits.Rules;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Problem;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All rules of one version as they were written, in the order of their ids.
 *
 * @param documents checked ones
 * @param createdAt null for version 0, which nobody made: no rules
 */
record RuleSet(
        long version,
        List<RuleDocument> documents,
        @Nullable Instant createdAt,
        @Nullable String createdBy) {
    /** Every instance holds them all, with counters for each. */
    static final int MOST = 1_000;

    static final RuleSet NONE = new RuleSet(0, List.of(), null, null);

    RuleSet {
        documents = documents.stream()
                .sorted(Comparator.comparing(document -> String.valueOf(document.id())))
                .toList();
    }

    /**
     * A submitted list with its defaults.
     *
     * @throws Problem 400 naming every field that is wrong
     */
    static List<RuleDocument> checked(List<@Nullable RuleDocument> documents) {
        var check = new Check();
        check.that(documents.size() <= MOST, "", "there may be at most " + MOST + " rules, not " + documents.size());
        check.refuse();
        var checked = IntStream.range(0, documents.size())
                .mapToObj(index -> checked(documents.get(index), "[" + index + "]", check))
                .flatMap(Optional::stream)
                .toList();
        refuseTwins(documents, check);
        check.refuse();
        return checked;
    }

    private static Optional<RuleDocument> checked(@Nullable RuleDocument document, String place, Check check) {
        check.that(document != null, place, "must be an object");
        return document == null ? Optional.empty() : document.checked(place, check);
    }

    private static void refuseTwins(List<@Nullable RuleDocument> documents, Check check) {
        var seen = new HashSet<String>();
        for (int i = 0; i < documents.size(); i++) {
            var document = documents.get(i);
            var id = document == null ? null : document.id();
            check.that(id == null || seen.add(id), "[" + i + "].id", "\"" + id + "\" is given twice");
        }
    }

    /** The version that follows, or this one when it has the same rules, spelled the same. */
    RuleSet followedBy(List<RuleDocument> wanted, Instant at, String by) {
        var next = new RuleSet(version + 1, wanted, at, by);
        return next.documents.equals(documents) ? this : next;
    }

    Rules live() {
        return Rules.of(version, documents.stream().map(RuleDocument::rule).toList());
    }
}
