package dev.hotstate.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a handler wants written: a status, headers, and bytes or a stream. It is a value; {@link #with} gives a new one.
 * Security headers, {@code X-Request-Id} and {@code Cache-Control: no-store} are added where it does not set its own.
 */
public final class Answer {
    private static final String JSON = "application/json";

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;
    private final @Nullable Stream stream;
    private final Runnable undelivered;

    /** Writes a body whose end is not known yet. It runs in the request's thread and ends when the client is gone. */
    @FunctionalInterface
    public interface Stream {
        void writeTo(OutputStream out) throws IOException, InterruptedException;
    }

    private Answer(int status, Map<String, String> headers, byte[] body, @Nullable Stream stream) {
        this(status, headers, body, stream, () -> {});
    }

    private Answer(
            int status, Map<String, String> headers, byte[] body, @Nullable Stream stream, Runnable undelivered) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.stream = stream;
        this.undelivered = undelivered;
    }

    /** 200 with the value as JSON. */
    public static Answer ok(Object value) {
        return json(200, value);
    }

    /** 201 with the value as JSON and where it can be read. */
    public static Answer created(String location, Object value) {
        return json(201, value).with("Location", location);
    }

    public static Answer json(int status, Object value) {
        return of(status, JSON, Json.bytes(value));
    }

    public static Answer noContent() {
        return new Answer(204, Map.of(), new byte[0], null);
    }

    /** Another page of this server. */
    public static Answer redirect(String location) {
        return new Answer(302, Map.of("Location", location), new byte[0], null);
    }

    /** 200 with a text of that content type, in UTF-8. */
    public static Answer text(String contentType, String text) {
        return of(200, contentType + "; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer of(int status, String contentType, byte[] body) {
        return new Answer(status, Map.of("Content-Type", contentType), body, null);
    }

    public static Answer notModified() {
        return new Answer(304, Map.of(), new byte[0], null);
    }

    public static Answer stream(String contentType, Stream stream) {
        return new Answer(200, Map.of("Content-Type", contentType), new byte[0], stream);
    }

    /** The same answer with one more header, or with another value for one. */
    public Answer with(String name, String value) {
        var more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Answer(status, more, body, stream, undelivered);
    }

    /** The same answer, and what to do where it could not be written because the client is gone. */
    public Answer orElse(Runnable otherwise) {
        return new Answer(status, headers, body, stream, otherwise);
    }

    int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    @Nullable
    Stream stream() {
        return stream;
    }

    void undelivered() {
        undelivered.run();
    }
}
