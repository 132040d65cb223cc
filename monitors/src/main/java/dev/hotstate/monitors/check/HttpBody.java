package dev.hotstate.monitors.check;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;

/** So much of a body as is allowed, unpacked. The bound is on what comes out, so that a small body cannot become a large one. */
final class HttpBody {
    private HttpBody() {}

    static void read(ClassicHttpResponse response, int most, Evidence evidence)
            throws IOException, CheckFailedException {
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return;
        }
        String encoding = evidence.headers.getOrDefault("content-encoding", "").strip();
        byte[] bytes = read(entity.getContent(), encoding.toLowerCase(Locale.ROOT), most);
        evidence.bodyIsCut = bytes.length > most;
        evidence.body = new String(evidence.bodyIsCut ? Arrays.copyOf(bytes, most) : bytes, charset(entity));
    }

    private static byte[] read(InputStream content, String encoding, int most)
            throws IOException, CheckFailedException {
        try {
            return unpacked(content, encoding).readNBytes(most + 1);
        } catch (ZipException e) {
            throw garbled(encoding);
        } catch (EOFException e) {
            if (encoding.isEmpty()) {
                throw e;
            }
            throw garbled(encoding);
        }
    }

    private static InputStream unpacked(InputStream content, String encoding) throws IOException, CheckFailedException {
        return switch (encoding) {
            case "", "identity" -> content;
            case "gzip", "x-gzip" -> new GZIPInputStream(content);
            case "deflate" -> new InflaterInputStream(content);
            default ->
                throw new CheckFailedException(
                        Failure.GARBLED,
                        "the body is packed as \"" + Quoted.excerpt(encoding) + "\", which was not asked for");
        };
    }

    private static CheckFailedException garbled(String encoding) {
        return new CheckFailedException(
                Failure.GARBLED, "the body is not the " + encoding + " that its header says, or breaks off");
    }

    private static Charset charset(HttpEntity entity) {
        ContentType type = ContentType.parseLenient(entity.getContentType());
        return type == null || type.getCharset() == null ? StandardCharsets.UTF_8 : type.getCharset();
    }
}
