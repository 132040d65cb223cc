package dev.hotstate.monitors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.StdDelegatingDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.fasterxml.jackson.databind.util.Converter;
import dev.hotstate.core.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Documents as PostgreSQL keeps them. Fields that this version does not know are passed over: a newer one, beside which
 * this one runs while servers are replaced, may have written them.
 */
final class DocumentJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // PostgreSQL has no place for half a surrogate pair, nor for U+0000, but for their escapes.
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .addModule(new SimpleModule()
                    .addSerializer(Duration.class, writer(Duration.class, Durations::print))
                    .addDeserializer(Duration.class, reader(Duration.class, Durations::parse))
                    .addSerializer(Instant.class, writer(Instant.class, Instant::toString))
                    .addDeserializer(Instant.class, reader(Instant.class, Instant::parse)))
            .build();

    private DocumentJson() {}

    static String write(Object document) {
        try {
            return MAPPER.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + document.getClass(), e);
        }
    }

    /** @throws IllegalArgumentException when it is no such document */
    static <T> T read(String json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be read as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Each field that is said with its text, those of an object as {@code tls.verify}. */
    static Map<String, String> fields(Object document) {
        var fields = new TreeMap<String, String>();
        collect("", MAPPER.valueToTree(document), fields);
        return fields;
    }

    private static void collect(String name, JsonNode value, Map<String, String> fields) {
        if (value.isObject()) {
            String place = name.isEmpty() ? "" : name + ".";
            value.properties().forEach(field -> collect(place + field.getKey(), field.getValue(), fields));
        } else if (!value.isNull()) {
            fields.put(name, value.isTextual() ? value.textValue() : value.toString());
        }
    }

    private static <T> StdDelegatingSerializer writer(Class<T> type, Function<T, String> print) {
        return new StdDelegatingSerializer(type, converter(type, String.class, print));
    }

    private static <T> StdDelegatingDeserializer<T> reader(Class<T> type, Function<String, T> parse) {
        return new StdDelegatingDeserializer<>(converter(String.class, type, parse));
    }

    private static <A, B> Converter<A, B> converter(Class<A> from, Class<B> to, Function<A, B> function) {
        return new Converter<>() {
            @Override
            public B convert(A value) {
                return function.apply(value);
            }

            @Override
            public JavaType getInputType(TypeFactory types) {
                return types.constructType(from);
            }

            @Override
            public JavaType getOutputType(TypeFactory types) {
                return types.constructType(to);
            }
        };
    }
}
