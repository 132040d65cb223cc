package dev.hotstate.server.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body into a record, or refuses it saying where and why. In order: media type, size (while reading, so that a
 * body without a length is bounded too), UTF-8, syntax, unknown fields, types.
 */
final class BodyReader {
    private static final String JSON = "application/json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String YAML = "application/yaml";
    // A body that trickles in holds its connection, memory and thread no longer than this.
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final JavaType NOTHING = Json.type(Nothing.class);

    private final int maxBytes;
    private final Watchdog watchdog;

    BodyReader(int maxBytes, Watchdog watchdog) {
        this.maxBytes = maxBytes;
        this.watchdog = watchdog;
    }

    /** The same for a route, which may take larger bodies than others. */
    BodyReader of(Route route) {
        return route.bodyBytes() <= maxBytes ? this : new BodyReader(route.bodyBytes(), watchdog);
    }

    <T> T json(ServerRequest request, JavaType type) {
        if (!mediaType(request).equals(JSON)) {
            throw Problem.unsupportedMediaType(JSON);
        }
        return bind(parseJson(text(request)), type);
    }

    /** No body, or one in which nothing is said. */
    void nothing(ServerRequest request) {
        if (!request.content().hasEntity()) {
            return;
        }
        boolean json = mediaType(request).equals(JSON);
        var text = text(request);
        if (!json && !text.isEmpty()) {
            throw Problem.unsupportedMediaType(JSON);
        }
        if (!text.isBlank()) {
            bind(parseJson(text), NOTHING);
        }
    }

    <T> T jsonOrYaml(ServerRequest request, JavaType type) {
        return jsonOrYaml(request, type, Set.of());
    }

    /** @param passedOver fields of the outermost object that are as if they were not there */
    <T> T jsonOrYaml(ServerRequest request, JavaType type, Set<String> passedOver) {
        var tree = switch (mediaType(request)) {
            case JSON -> parseJson(text(request));
            case YAML -> parseYaml(text(request));
            default -> throw Problem.unsupportedMediaType(JSON + ", " + YAML);
        };
        return bind(tree instanceof ObjectNode object ? object.without(passedOver) : tree, type);
    }

    /** A document that its own reader reads, because it is too large to be held as a tree. */
    <T> T document(ServerRequest request, Function<byte[], T> json, Function<byte[], T> yaml) {
        return switch (mediaType(request)) {
            case JSON -> json.apply(read(request));
            case YAML -> yaml.apply(read(request));
            default -> throw Problem.unsupportedMediaType(JSON + ", " + YAML);
        };
    }

    <T> UnaryOperator<T> patch(ServerRequest request, JavaType type) {
        var mediaType = mediaType(request);
        if (!mediaType.equals(JSON) && !mediaType.equals(MERGE_PATCH)) {
            throw Problem.unsupportedMediaType(JSON + ", " + MERGE_PATCH);
        }
        var patch = parseJson(text(request));
        if (!(patch instanceof ObjectNode)) {
            throw Problem.invalid("", "a merge patch is a JSON object");
        }
        KnownFields.refuseOthers(patch, type);
        return present -> bind(MergePatch.apply(Json.MAPPER.valueToTree(present), patch), type);
    }

    /** However long it is: what follows is left to the web server to pass over. */
    String beginning(ServerRequest request, int mostBytes) {
        if (!request.content().hasEntity()) {
            return "";
        }
        var guard = watchdog.within(LONGEST);
        try {
            return new String(request.content().inputStream().readNBytes(mostBytes), StandardCharsets.UTF_8);
        } catch (IOException | IllegalArgumentException e) {
            throw unreadable();
        } finally {
            guard.close();
        }
    }

    private static String mediaType(ServerRequest request) {
        var header = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("");
        var parts = header.split(";", 2);
        boolean utf8 = parts.length == 1
                || parts[1].isBlank()
                || parts[1].trim().toLowerCase(Locale.ROOT).matches("charset=\"?utf-8\"?");
        return utf8 ? parts[0].trim().toLowerCase(Locale.ROOT) : header;
    }

    private String text(ServerRequest request) {
        var bytes = read(request);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Problem.invalid("", "the body is not UTF-8");
        }
    }

    private byte[] read(ServerRequest request) {
        if (request.headers().contentLength().orElse(0) > maxBytes) {
            throw Problem.tooLarge(maxBytes);
        }
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        long deadline = System.nanoTime() + LONGEST.toNanos();
        var guard = watchdog.within(LONGEST.plusSeconds(5));
        try (var in = request.content().inputStream()) {
            return readAll(in, deadline);
        } catch (IOException | IllegalArgumentException e) {
            throw unreadable();
        } finally {
            guard.close();
        }
    }

    /** An end too early, or chunks that are none. */
    private static Problem unreadable() {
        return Problem.badRequest("The body cannot be read.").with("Connection", "close");
    }

    private byte[] readAll(InputStream in, long deadline) throws IOException {
        var all = new ByteArrayOutputStream();
        var buffer = new byte[8192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            all.write(buffer, 0, n);
            if (all.size() > maxBytes) {
                throw Problem.tooLarge(maxBytes);
            }
            if (System.nanoTime() - deadline > 0) {
                throw Problem.timeout();
            }
        }
        return all.toByteArray();
    }

    static JsonNode parseJson(String text) {
        try (var parser = Json.MAPPER.createParser(text)) {
            return tree(parser);
        } catch (IOException e) {
            throw JsonProblems.of(e);
        }
    }

    static JsonNode parseYaml(String text) {
        try (var parser = new WithoutAliases(Json.YAML.createParser(text))) {
            return tree(parser);
        } catch (IOException e) {
            throw JsonProblems.of(e);
        }
    }

    private static JsonNode tree(JsonParser parser) throws IOException {
        try {
            JsonNode tree = Json.EXACTLY.readTree(parser);
            if (tree == null || tree.isMissingNode()) {
                throw Problem.invalid("", "a body is required");
            }
            if (parser.nextToken() != null) {
                throw Problem.invalid("", "the body goes on after its end");
            }
            return tree;
        } catch (JsonProcessingException e) {
            throw JsonProblems.of(e, parser);
        }
    }

    static <T> T bind(JsonNode tree, JavaType type) {
        KnownFields.refuseOthers(tree, type);
        try {
            T value = Json.MAPPER.treeToValue(tree, type);
            if (value == null) {
                throw Problem.invalid("", "must not be null");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw JsonProblems.of(e);
        }
    }

    private record Nothing() {}

    /** Jackson reads a YAML alias as the text of its name, which is never what its author meant. */
    private static final class WithoutAliases extends JsonParserDelegate {
        private final YAMLParser yaml;

        WithoutAliases(YAMLParser yaml) {
            super(yaml);
            this.yaml = yaml;
        }

        @Override
        public @Nullable JsonToken nextToken() throws IOException {
            var token = super.nextToken();
            if (yaml.isCurrentAlias()) {
                throw Problem.invalid("", "YAML aliases (*name) are not read here: write the value out");
            }
            return token;
        }
    }
}
