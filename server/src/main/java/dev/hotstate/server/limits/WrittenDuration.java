package dev.hotstate.server.limits;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import dev.hotstate.core.Durations;
import java.io.IOException;
import java.time.Duration;

/** A duration with its spelling: whoever wrote {@code 60s} does not read {@code 1m}. */
@JsonDeserialize(using = WrittenDuration.Reader.class)
record WrittenDuration(Duration length, @JsonValue String text) {
    static WrittenDuration of(Duration length) {
        return new WrittenDuration(length, Durations.print(length));
    }

    static final class Reader extends StdDeserializer<WrittenDuration> {
        private static final long serialVersionUID = 1L;

        Reader() {
            super(WrittenDuration.class);
        }

        @Override
        public WrittenDuration deserialize(JsonParser in, DeserializationContext context) throws IOException {
            var text = in.getText().trim();
            return new WrittenDuration(context.readValue(in, Duration.class), text);
        }
    }
}
