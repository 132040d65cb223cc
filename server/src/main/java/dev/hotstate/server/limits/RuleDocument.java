package dev.hotstate.server.limits;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hotstate.limits.Algorithm;
import dev.hotstate.limits.OnError;
import dev.hotstate.limits.Rule;
import dev.hotstate.server.http.Check;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rule as it is written: submitted, shown, and kept in PostgreSQL. What is not said is left out, so that a document
 * which was read can be submitted as it is.
 *
 * @param burst for a token bucket alone; the limit when it is not given
 * @param slice how many units an instance takes in advance; without it, Redis is asked each time
 * @param lease how long it may keep them
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RuleDocument(
        @Nullable String id,
        @Nullable String algorithm,
        @Nullable Long limit,
        @Nullable WrittenDuration window,
        @Nullable Long burst,
        @Nullable String onError,
        @Nullable Boolean shadow,
        @Nullable Long slice,
        @Nullable WrittenDuration lease) {
    private static final Duration USUAL_LEASE = Duration.ofSeconds(1);

    /** With its defaults, unless there is something to object to; that is noted under the document's place in the body. */
    Optional<RuleDocument> checked(String place, Check check) {
        check.given(id, place + ".id").id(id, place + ".id");
        check.oneOf(algorithm, place + ".algorithm", Algorithm.values()).given(algorithm, place + ".algorithm");
        check.given(limit, place + ".limit").given(window, place + ".window");
        check.oneOf(onError, place + ".on_error", OnError.values());
        check.that(
                burst == null || word(Algorithm.TOKEN_BUCKET).equals(algorithm),
                place + ".burst",
                "is for token_bucket alone");
        check.that(lease == null || slice != null, place + ".lease", "needs a slice: how many units are taken at once");
        return check.isClean(place)
                ? Optional.ofNullable(check.checked(place + ".", this::rule)).map(this::completed)
                : Optional.empty();
    }

    private RuleDocument completed(Rule rule) {
        return new RuleDocument(
                rule.id(),
                word(rule.algorithm()),
                rule.limit(),
                window,
                rule.algorithm() == Algorithm.TOKEN_BUCKET ? rule.burst() : null,
                word(rule.onError()),
                rule.shadow(),
                slice,
                lease != null
                        ? lease
                        : rule.lease()
                                .map(Rule.Lease::length)
                                .map(WrittenDuration::of)
                                .orElse(null));
    }

    /** What a checked document means. */
    Rule rule() {
        long units = Objects.requireNonNull(limit);
        return new Rule(
                Objects.requireNonNull(id),
                of(Algorithm.values(), Objects.requireNonNull(algorithm)),
                units,
                Objects.requireNonNull(window).length(),
                burst == null ? units : burst,
                onError == null ? OnError.OPEN : of(OnError.values(), onError),
                shadow != null && shadow,
                Optional.ofNullable(slice).map(size -> new Rule.Lease(size, leaseLength())));
    }

    private Duration leaseLength() {
        var most = Objects.requireNonNull(window).length();
        return lease != null ? lease.length() : most.compareTo(USUAL_LEASE) < 0 ? most : USUAL_LEASE;
    }

    /** Its fields as texts, in their order, without those that are not said. */
    Map<String, String> fields() {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("algorithm", algorithm);
        fields.put("limit", limit);
        fields.put("window", window == null ? null : window.text());
        fields.put("burst", burst);
        fields.put("on_error", onError);
        fields.put("shadow", shadow);
        fields.put("slice", slice);
        fields.put("lease", lease == null ? null : lease.text());
        var said = new LinkedHashMap<String, String>();
        fields.forEach((name, value) -> {
            if (value != null) {
                said.put(name, value.toString());
            }
        });
        return said;
    }

    /** As the API spells it. */
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static <E extends Enum<E>> E of(E[] values, String word) {
        return Arrays.stream(values)
                .filter(value -> word(value).equals(word))
                .findFirst()
                .orElseThrow();
    }
}
