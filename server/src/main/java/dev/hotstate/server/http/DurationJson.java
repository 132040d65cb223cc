package dev.hotstate.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.hotstate.core.Durations;
import java.io.IOException;
import java.time.Duration;

/** Durations in JSON: {@code "30s"}. */
final class DurationJson {
    private DurationJson() {}

    static final class Writer extends StdSerializer<Duration> {
        private static final long serialVersionUID = 1L;

        Writer() {
            super(Duration.class);
        }

        @Override
        public void serialize(Duration value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(Durations.print(value));
        }
    }

    static final class Reader extends StdDeserializer<Duration> {
        private static final long serialVersionUID = 1L;

        Reader() {
            super(Duration.class);
        }

        @Override
        public Duration deserialize(JsonParser in, DeserializationContext context) throws IOException {
            if (in.currentToken() == JsonToken.VALUE_STRING) {
                try {
                    return Durations.parse(in.getText());
                } catch (IllegalArgumentException e) {
                    // Told below, like any other wrong value, with the path of the field.
                }
            }
            throw context.weirdStringException(in.getText(), Duration.class, "not a duration");
        }
    }
}
