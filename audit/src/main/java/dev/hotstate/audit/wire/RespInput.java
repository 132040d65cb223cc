package dev.hotstate.audit.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads answers of protocol version 2. */
final class RespInput {
    /** Redis's own bound for one value; what claims more is no Redis. */
    private static final int MOST = 512 * 1024 * 1024;

    /** The words of TYPE by first letter, last letter and length: a million answers are not a million strings. */
    private static final Map<Integer, String> WORDS =
            List.of("none", "string", "hash", "list", "set", "zset", "stream").stream()
                    .collect(Collectors.toMap(
                            word -> sign(word.charAt(0), word.charAt(word.length() - 1), word.length()), word -> word));

    private final Endpoint endpoint;
    private final InputStream in;
    private final byte[] buffer = new byte[64 * 1024];
    private int next;
    private int limit;
    private long received;

    RespInput(Endpoint endpoint, InputStream in) {
        this.endpoint = endpoint;
        this.in = in;
    }

    long received() {
        return received;
    }

    Reply reply() throws IOException {
        int sign = octet();
        return switch (sign) {
            case '+' -> new Reply.Text(line().getBytes(UTF_8));
            case '-' -> new Reply.Refused(line());
            case ':' -> new Reply.Whole(number());
            case '$' -> bulk();
            case '*' -> many();
            default -> throw new IOException("it does not speak as Redis does");
        };
    }

    long whole(long otherwise) throws IOException {
        int sign = octet();
        if (sign == ':') {
            return number();
        }
        next--;
        Reply reply = reply();
        return reply instanceof Reply.Text ? reply.number() : otherwise;
    }

    String word() throws IOException {
        int sign = octet();
        if (sign != '+') {
            next--;
            return reply() instanceof Reply.Text text ? text.toString() : "";
        }
        int first = peek();
        int from = next;
        int end = from;
        while (end < limit && buffer[end] != '\r') {
            end++;
        }
        if (end + 1 < limit) {
            String known = end == from ? null : WORDS.get(sign(first, buffer[end - 1], end - from));
            if (known != null) {
                next = end + 2;
                return known;
            }
        }
        return line();
    }

    long scan(Names into) throws IOException {
        int sign = octet();
        if (sign != '*') {
            next--;
            Reply reply = reply();
            throw new UnansweredException(endpoint + " refused SCAN: " + reply.text(), null);
        }
        number();
        long cursor = Long.parseUnsignedLong(reply().text());
        octet();
        long names = number();
        for (long i = 0; i < names; i++) {
            octet();
            int length = (int) number();
            int at = into.room(length);
            copy(into.bytes(), at, length);
            end();
        }
        return cursor;
    }

    private Reply bulk() throws IOException {
        long length = number();
        if (length < 0) {
            return new Reply.Nothing();
        }
        if (length > MOST) {
            throw new IOException("it announced a value of " + length + " bytes");
        }
        byte[] bytes = new byte[(int) length];
        copy(bytes, 0, bytes.length);
        end();
        return new Reply.Text(bytes);
    }

    private Reply many() throws IOException {
        long length = number();
        if (length < 0) {
            return new Reply.Nothing();
        }
        List<Reply> items = new ArrayList<>((int) Math.min(length, 10_000));
        for (long i = 0; i < length; i++) {
            items.add(reply());
        }
        return new Reply.Many(items);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = octet(); c != '\r'; c = octet()) {
            line.append((char) c);
        }
        octet();
        return line.toString();
    }

    private long number() throws IOException {
        int c = octet();
        boolean negative = c == '-';
        long number = negative ? 0 : c - '0';
        for (c = octet(); c != '\r'; c = octet()) {
            number = number * 10 + c - '0';
        }
        octet();
        return negative ? -number : number;
    }

    private void end() throws IOException {
        octet();
        octet();
    }

    private void copy(byte[] into, int at, int length) throws IOException {
        int done = 0;
        while (done < length) {
            if (next == limit) {
                fill();
            }
            int part = Math.min(length - done, limit - next);
            System.arraycopy(buffer, next, into, at + done, part);
            next += part;
            done += part;
        }
    }

    private static int sign(int first, int last, int length) {
        return first << 16 | last << 8 | length;
    }

    private int octet() throws IOException {
        if (next == limit) {
            fill();
        }
        return buffer[next++] & 0xff;
    }

    private int peek() throws IOException {
        if (next == limit) {
            fill();
        }
        return buffer[next] & 0xff;
    }

    private void fill() throws IOException {
        // The octet before stays, so that one can be put back.
        byte last = limit == 0 ? 0 : buffer[limit - 1];
        int read = in.read(buffer, 1, buffer.length - 1);
        if (read < 0) {
            throw new EOFException("it hung up");
        }
        buffer[0] = last;
        next = 1;
        limit = 1 + read;
        received += read;
    }
}
