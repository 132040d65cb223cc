package dev.hotstate.server.http.ops;

import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/** A file of the dashboard in memory, once as it is and once compressed. */
record StaticFile(String contentType, byte[] plain, byte[] gzip, String etag) {
    // What has another ending is not served.
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "mjs", "text/javascript; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "woff2", "font/woff2");

    static Optional<String> typeOf(String path) {
        return Optional.ofNullable(TYPES.get(path.substring(path.lastIndexOf('.') + 1)));
    }

    static StaticFile of(String contentType, byte[] bytes) {
        return new StaticFile(contentType, bytes, compressed(bytes), hash(bytes));
    }

    /**
     * The file, or 304 when the browser has it. A browser asks each time, unless it asked for one version by
     * {@code ?v=…}: that never changes.
     */
    Answer answer(Request request) {
        boolean zip = gzip.length < plain.length
                && request.header("Accept-Encoding").orElse("").contains("gzip");
        var tag = "\"" + etag + (zip ? "-gz" : "") + "\"";
        boolean known = request.header("If-None-Match").orElse("").contains(tag);
        var answer = known ? Answer.notModified() : Answer.of(200, contentType, zip ? gzip : plain);
        if (zip && !known) {
            answer = answer.with("Content-Encoding", "gzip");
        }
        boolean versioned = request.query("v").isPresent();
        return answer.with("ETag", tag)
                .with("Vary", "Accept-Encoding")
                .with("Cache-Control", versioned ? "public, max-age=31536000, immutable" : "no-cache");
    }

    private static byte[] compressed(byte[] bytes) {
        var out = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 10);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
