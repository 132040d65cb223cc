package dev.hotstate.server.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says what Jackson objects to in the words of the API: the field's path, and what belongs there. */
final class JsonProblems {
    private JsonProblems() {}

    /** Malformed text: the line and column, or the key that is there twice. */
    static Problem of(JsonProcessingException e, JsonParser parser) {
        if (e.getOriginalMessage().startsWith("Duplicate")) {
            return Problem.invalid(path(parser.getParsingContext().pathAsPointer()), "is given twice");
        }
        if (e instanceof StreamConstraintsException) {
            return Problem.invalid("", "the body is nested too deeply, or has a number or name that is too long");
        }
        var at = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
        return Problem.invalid("", "the body is malformed at line " + at.getLineNr() + ", column " + at.getColumnNr());
    }

    /** Well-formed text that does not fit. */
    static Problem of(IOException e) {
        return switch (e) {
            case ValueInstantiationException refused -> Problem.invalid(path(refused), reason(refused));
            case InvalidFormatException wrong -> Problem.invalid(path(wrong), expected(wrong.getTargetType()));
            case MismatchedInputException wrong -> Problem.invalid(path(wrong), expected(wrong.getTargetType()));
            case JsonMappingException wrong -> Problem.invalid(path(wrong), outOfRange(wrong));
            default -> Problem.invalid("", "the body is malformed");
        };
    }

    private static String outOfRange(JsonMappingException wrong) {
        return wrong.getCause() instanceof InputCoercionException range
                ? expected(range.getTargetType())
                : "cannot be read";
    }

    /** A record that checks itself says what it does not like; anything else is not for the caller. */
    private static String reason(ValueInstantiationException refused) {
        return refused.getCause() instanceof IllegalArgumentException own && own.getMessage() != null
                ? own.getMessage()
                : "is refused";
    }

    private static String expected(@Nullable Class<?> type) {
        if (type == null) {
            return "has the wrong type";
        }
        if (type.isEnum()) {
            return "must be one of " + String.join(", ", words(Json.type(type)));
        }
        if (type == String.class) {
            return "must be a text";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "must be true or false";
        }
        if (type == Duration.class) {
            return "must be a duration such as \"30s\"";
        }
        if (type == Instant.class) {
            return "must be a time such as 2026-01-31T12:00:00Z";
        }
        if (type == double.class || type == float.class || type == Double.class || type == Float.class) {
            return "must be a number";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "must be a whole number in range";
        }
        return Iterable.class.isAssignableFrom(type) || type.isArray() ? "must be a list" : "must be an object";
    }

    private static List<String> words(JavaType type) {
        var words = new ArrayList<String>();
        for (var constant : type.getRawClass().getEnumConstants()) {
            words.add(Json.MAPPER.convertValue(constant, String.class));
        }
        return words;
    }

    private static String path(JsonMappingException e) {
        var path = new StringBuilder();
        for (var step : e.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return path.toString();
    }

    private static String path(JsonPointer pointer) {
        var path = new StringBuilder();
        for (var at = pointer; at != null && !at.matches(); at = at.tail()) {
            if (at.mayMatchElement()) {
                path.append('[').append(at.getMatchingIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(at.getMatchingProperty());
            }
        }
        return path.toString();
    }
}
