package dev.hotstate.audit.report;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.hotstate.audit.rules.Severity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A report as JSON, and back. Nothing but ASCII is written, so that no byte of it acts on a terminal. Names are
 * {@code snake_case}, times ISO-8601; what is null is left out; maps are in the order of their keys.
 */
public final class ReportJson {
    private static final JsonMapper MAPPER = JsonMapper.builder(
                    new JsonFactoryBuilder().characterEscapes(new AlsoDelete()).build())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .addModule(new JavaTimeModule())
            .addMixIn(Severity.class, SeverityWord.class)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private ReportJson() {}

    /** The report, and beside its findings those that were waived or known. */
    public static String write(Verdict verdict) {
        return pretty(document(verdict)) + "\n";
    }

    /** The same without line breaks, for a column or an answer. */
    public static String write(Report report) {
        return compact(report);
    }

    /**
     * What was written by either; findings that were waived or known are not read.
     *
     * @throws IllegalArgumentException saying why it is no report
     */
    public static Report read(String text) {
        try {
            return MAPPER.readValue(text, Report.class);
        } catch (JacksonException | NullPointerException broken) {
            throw new IllegalArgumentException("it is no report of an audit: " + reason(broken), broken);
        }
    }

    /** The findings of a written report that its baseline knew. */
    static List<Finding> known(JsonNode report) {
        List<Finding> known = new ArrayList<>();
        try {
            for (JsonNode finding : report.path("known")) {
                known.add(MAPPER.treeToValue(finding, Finding.class));
            }
        } catch (JacksonException | NullPointerException broken) {
            throw new IllegalArgumentException("it is no report of an audit: " + reason(broken), broken);
        }
        return known;
    }

    /** Any value of this package as one line. */
    static String compact(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JacksonException broken) {
            throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), broken);
        }
    }

    static String pretty(Object value) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JacksonException broken) {
            throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), broken);
        }
    }

    static JsonNode tree(String text, String what) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException broken) {
            throw new IllegalArgumentException(what + " cannot be read as JSON: " + reason(broken), broken);
        }
    }

    private static ObjectNode document(Verdict verdict) {
        ObjectNode document = MAPPER.valueToTree(verdict.report());
        ArrayNode waived = document.putArray("waived");
        for (Verdict.Waived one : verdict.waived()) {
            ObjectNode entry = MAPPER.valueToTree(one.finding());
            entry.put("waived_until", one.waiver().until().toString());
            entry.put("waived_because", one.waiver().reason());
            waived.add(entry);
        }
        document.set("known", MAPPER.valueToTree(verdict.known()));
        return document;
    }

    private static String reason(Exception broken) {
        return broken instanceof JacksonException json ? json.getOriginalMessage() : "something is missing";
    }

    /** Jackson takes DEL for a printable character. */
    private static final class AlsoDelete extends CharacterEscapes {
        private static final long serialVersionUID = 1L;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] codes = standardAsciiEscapesForJSON();
            codes[127] = ESCAPE_STANDARD;
            return codes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int c) {
            return null;
        }
    }

    /** A severity is its word. */
    private abstract static class SeverityWord {
        @JsonValue
        abstract String word();

        @JsonCreator
        static Severity of(String word) {
            return Severity.of(word);
        }
    }
}
