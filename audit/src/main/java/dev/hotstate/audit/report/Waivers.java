package dev.hotstate.audit.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.hotstate.audit.rules.Rules;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What somebody has allowed, as a YAML list: {@code rule}, {@code family}, {@code key}, {@code subject}, {@code reason}, {@code until}. */
public record Waivers(List<Waiver> all) {
    public static final Waivers NONE = new Waivers(List.of());

    private static final YAMLMapper YAML = new YAMLMapper(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());
    private static final Set<String> FIELDS = Set.of("rule", "family", "key", "subject", "reason", "until");

    public Waivers {
        all = List.copyOf(all);
    }

    /**
     * @param text a list, or an object with one under {@code waivers}
     * @throws IllegalArgumentException naming the entry and the field that is wrong
     */
    public static Waivers read(String text) {
        JsonNode root = tree(text);
        JsonNode list = root.isObject() ? root.path("waivers") : root;
        if (list.isMissingNode() || !list.isArray() && !list.isNull()) {
            throw new IllegalArgumentException("waivers must be a list");
        }
        List<Waiver> waivers = new ArrayList<>();
        for (JsonNode entry : list) {
            waivers.add(waiver(entry, "waivers[" + waivers.size() + "]"));
        }
        return new Waivers(waivers);
    }

    /** The first that covers the finding and still holds. */
    Optional<Waiver> of(Finding finding, LocalDate today) {
        return all.stream()
                .filter(waiver -> waiver.holdsOn(today) && waiver.covers(finding))
                .findFirst();
    }

    List<Waiver> expired(LocalDate today) {
        return all.stream().filter(waiver -> !waiver.holdsOn(today)).toList();
    }

    private static JsonNode tree(String text) {
        try {
            JsonNode root = YAML.readTree(text);
            return root.isMissingNode() ? YAML.createArrayNode() : root;
        } catch (JacksonException broken) {
            throw new IllegalArgumentException("waivers cannot be read: " + broken.getOriginalMessage(), broken);
        }
    }

    private static Waiver waiver(JsonNode entry, String where) {
        if (!entry.isObject()) {
            throw new IllegalArgumentException(where + " must be an object with rule, reason and until");
        }
        Set<String> unknown = new TreeSet<>();
        entry.fieldNames().forEachRemaining(unknown::add);
        unknown.removeAll(FIELDS);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(where + "." + unknown.iterator().next()
                    + " is no field of a waiver; they are rule, family, key, subject, reason and until");
        }
        String rule = required(entry, "rule", where);
        if (Rules.byId(rule).isEmpty()) {
            throw new IllegalArgumentException(where + ".rule: there is no rule \"" + rule + "\"");
        }
        return new Waiver(
                rule,
                optional(entry, "family"),
                optional(entry, "key"),
                optional(entry, "subject"),
                required(entry, "reason", where),
                day(required(entry, "until", where), where));
    }

    private static String required(JsonNode entry, String field, String where) {
        String text = optional(entry, field);
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException(where + "." + field + " is required");
        }
        return text;
    }

    private static @Nullable String optional(JsonNode entry, String field) {
        JsonNode value = entry.path(field);
        return value.isMissingNode() || value.isNull() ? null : value.asText();
    }

    private static LocalDate day(String text, String where) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException none) {
            throw new IllegalArgumentException(
                    where + ".until must be a date such as 2027-01-31, not \"" + text + "\"", none);
        }
    }
}
