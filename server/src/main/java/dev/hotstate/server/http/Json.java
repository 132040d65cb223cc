package dev.hotstate.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.time.Duration;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * JSON as the API speaks it: {@code snake_case}, times in ISO-8601 UTC, durations as {@code "30s"}, nulls written. A
 * reader is strict: no duplicate keys, no text where a number belongs nor the other way round, bounded depth and numbers.
 */
public final class Json {
    private static final int DEEPEST = 64;
    private static final StreamReadConstraints BOUNDS = StreamReadConstraints.builder()
            .maxNestingDepth(DEEPEST)
            .maxNumberLength(100)
            .maxNameLength(1_000)
            .build();

    static final ObjectMapper MAPPER = strict(JsonMapper.builder(JsonFactory.builder()
            .streamReadConstraints(BOUNDS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // By default each thread has buffers of its own, which a virtual one uses but once.
            .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
            .build()));
    /** Reads numbers as they are written, since some bodies hold values that are only passed on. */
    static final ObjectReader EXACTLY = MAPPER.reader(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    static final YAMLFactory YAML = YAMLFactory.builder()
            .streamReadConstraints(BOUNDS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .loaderOptions(yamlBounds())
            .build();

    private Json() {}

    /** The value as JSON in UTF-8. */
    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /** The value as JSON. */
    public static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /** The value as JSON for people to read. */
    public static String pretty(Object value) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /**
     * What was written by one of the above.
     *
     * @throws IllegalArgumentException when it was not
     */
    public static <T> T read(String text, TypeReference<T> type) {
        try {
            return MAPPER.readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be read as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** A part of a body by itself, where one that is wrong does not refuse the others. */
    public static <T> T part(JsonNode part, Class<T> type) {
        return BodyReader.bind(part, type(type));
    }

    static JavaType type(Class<?> type) {
        return MAPPER.constructType(type);
    }

    static JavaType type(TypeReference<?> type) {
        return MAPPER.getTypeFactory().constructType(type);
    }

    private static ObjectMapper strict(JsonMapper.Builder builder) {
        var durations = new SimpleModule()
                .addSerializer(Duration.class, new DurationJson.Writer())
                .addDeserializer(Duration.class, new DurationJson.Reader());
        return builder.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .addModules(new JavaTimeModule(), durations)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .withCoercionConfig(
                        LogicalType.Textual,
                        config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .withCoercionConfig(
                        LogicalType.Enum, config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail))
                .build();
    }

    private static LoaderOptions yamlBounds() {
        var options = new LoaderOptions();
        options.setNestingDepthLimit(DEEPEST);
        // The body's own limit is checked while it is read; this one must only not be lower.
        options.setCodePointLimit(Integer.MAX_VALUE);
        return options;
    }
}
