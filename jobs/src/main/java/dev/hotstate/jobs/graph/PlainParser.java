package dev.hotstate.jobs.graph;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Refuses YAML's aliases, which would be read as plain texts. */
final class PlainParser extends JsonParserDelegate {
    private final @Nullable YAMLParser yaml;

    PlainParser(JsonParser parser) {
        super(parser);
        this.yaml = parser instanceof YAMLParser found ? found : null;
    }

    @Override
    public @Nullable JsonToken nextToken() throws IOException {
        JsonToken token = super.nextToken();
        if (yaml != null && yaml.isCurrentAlias()) {
            throw new JsonParseException(this, "aliases (*name) are not supported");
        }
        return token;
    }
}
