package dev.hotstate.jobs.work;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/** Inputs and results between JSON and Java, within their bounds. What does not fit would not fit the next time either. */
final class Json {
    /** Of an input and of a result, as UTF-8. */
    static final int MOST_BYTES = 256 * 1024;

    private final ObjectMapper mapper;

    Json(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** Finds out how results of this type are written, which takes longer than many a task: the first need not wait for it. */
    void prepare(Class<?> result) {
        try {
            mapper.getSerializerProviderInstance().findTypedValueSerializer(result, true, null);
        } catch (JsonMappingException unfit) {
            // The handler that returns such a one hears of it.
        }
    }

    <T> T input(@Nullable String json, Class<T> type) {
        T input = read("the input", json == null ? "null" : json, type);
        if (input == null) {
            throw new NotRetryableException("the task has no input, and its handler reads " + type.getSimpleName());
        }
        return input;
    }

    /** Null where there is nothing to read. */
    <T> @Nullable T read(String what, @Nullable String json, Class<T> type) {
        if (json == null) {
            return null;
        }
        try {
            return mapper.readValue(json, type);
        } catch (JsonProcessingException unfit) {
            throw new NotRetryableException(
                    what + " cannot be read as " + type.getSimpleName() + ": " + unfit.getOriginalMessage(), unfit);
        }
    }

    @Nullable
    String write(@Nullable Object result) {
        if (result == null) {
            return null;
        }
        try {
            return bounded(mapper.writeValueAsString(result));
        } catch (JsonProcessingException unfit) {
            throw new NotRetryableException(
                    "the result cannot be written as JSON: " + unfit.getOriginalMessage(), unfit);
        }
    }

    static String bounded(String result) {
        // No character takes more than three bytes, so that most need not be counted.
        if (result.length() > MOST_BYTES / 3 && result.getBytes(UTF_8).length > MOST_BYTES) {
            throw new NotRetryableException("the result is " + result.getBytes(UTF_8).length
                    + " bytes as JSON, and may be " + MOST_BYTES + ": store it elsewhere and hand on where");
        }
        return result;
    }
}
