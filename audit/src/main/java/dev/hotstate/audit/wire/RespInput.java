package dev.hotstate.audit.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.audit.report.KeyName;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads answers of protocol version 2. */
final class RespInput {
    /** Redis's own bound for one value; what claims more is no Redis. */
    private static final int MOST = 512 * 1024 * 1024;

    /** The words of TYPE: a million answers are not a million strings. */
    private static final String[] WORDS = {"string", "hash", "list", "set", "zset", "stream", "none"};

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

    String word(Consumer<Reply.Refused> refused) throws IOException {
        int sign = octet();
        if (sign != '+') {
            next--;
            Reply reply = reply();
            if (reply instanceof Reply.Refused words) {
                refused.accept(words);
            }
            return reply instanceof Reply.Text text ? text.toString() : "";
        }
        int end = next;
        while (end < limit && buffer[end] != '\r') {
            end++;
        }
        if (end + 1 < limit) {
            for (String known : WORDS) {
                if (isWord(known, end)) {
                    next = end + 2;
                    return known;
                }
            }
        }
        return line();
    }

    private boolean isWord(String known, int end) {
        boolean same = end - next == known.length();
        for (int i = 0; same && i < known.length(); i++) {
            same = buffer[next + i] == known.charAt(i);
        }
        return same;
    }

    /** An answer of HSCAN without an object for each part of it. */
    void fields(Connection.FieldReader reader) throws IOException {
        int sign = octet();
        if (sign != '*') {
            next--;
            reply();
            return;
        }
        number();
        reply();
        octet();
        long words = number();
        for (long i = 0; i + 1 < words; i += 2) {
            reader.read(text(), text());
        }
    }

    private byte[] text() throws IOException {
        octet();
        byte[] bytes = new byte[length()];
        copy(bytes, 0, bytes.length);
        end();
        return bytes;
    }

    private int length() throws IOException {
        long length = number();
        if (length < 0 || length > MOST) {
            throw new IOException("it announced a value of " + length + " bytes");
        }
        return (int) length;
    }

    long scan(Names into) throws IOException {
        int sign = octet();
        if (sign != '*') {
            next--;
            String words = reply() instanceof Reply.Refused refused ? refused.words() : "it is no answer to it";
            throw new RefusedException(endpoint + " refused SCAN", KeyName.shown(words));
        }
        number();
        long cursor = Long.parseUnsignedLong(reply().text());
        octet();
        long names = number();
        for (long i = 0; i < names; i++) {
            octet();
            int length = length();
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

    private int octet() throws IOException {
        if (next == limit) {
            fill();
        }
        return buffer[next++] & 0xff;
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
