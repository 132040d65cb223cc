package dev.hotstate.audit.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.audit.report.KeyName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A connection to one node, for one thread. Commands are put into a packet with {@link #put}, sent with {@link #send},
 * and their answers read in the same order. Whoever sends many must read as many before the next packet: a packet is at
 * most some kilobytes, so neither side's buffers fill up.
 */
public final class Connection implements AutoCloseable {
    private static final long UNANSWERED = -1;
    private static final byte[] CRLF = {'\r', '\n'};

    private final Endpoint endpoint;
    private final Socket socket;
    private final RespInput in;
    private final Packet out = new Packet();
    private long commands;
    private long sent;
    private long slowestNanos;
    private long sentAt;
    private long took = UNANSWERED;

    private Connection(Endpoint endpoint, Socket socket) throws IOException {
        this.endpoint = endpoint;
        this.socket = socket;
        this.in = new RespInput(endpoint, socket.getInputStream());
    }

    /**
     * Connects, shows who we are and chooses the database.
     *
     * @param patience the longest to wait for the connection, and later for any answer
     * @throws UnansweredException saying what went wrong
     */
    public static Connection open(Endpoint endpoint, Duration patience) {
        int millis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, patience.toMillis()));
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(millis);
            socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), millis);
            Connection connection =
                    new Connection(endpoint, endpoint.tls() == null ? socket : TlsSocket.over(socket, endpoint));
            connection.introduce();
            return connection;
        } catch (IOException | RuntimeException failed) {
            try {
                socket.close();
            } catch (IOException ignored) {
                // It failed already, and that is told.
            }
            throw failed instanceof UnansweredException told
                    ? told
                    : new UnansweredException(endpoint + " was not reached: " + why(failed), failed);
        }
    }

    /** The message of an unknown host is its name, and nothing else. */
    private static String why(Exception failed) {
        return failed instanceof UnknownHostException
                ? "no address is known for this name"
                : String.valueOf(failed.getMessage());
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** One command and its answer. */
    public Reply call(String... words) {
        put(words);
        send();
        return read();
    }

    /** Several commands in one packet. */
    public List<Reply> callAll(List<String[]> commandsOfWords) {
        commandsOfWords.forEach(this::put);
        send();
        List<Reply> replies = new ArrayList<>();
        for (int i = 0; i < commandsOfWords.size(); i++) {
            replies.add(read());
        }
        return replies;
    }

    public void put(String... words) {
        begin(words.length);
        for (String word : words) {
            word(word.getBytes(UTF_8));
        }
    }

    /** A command with one name in it. */
    public void put(Words words, byte[] names, int from, int to) {
        commands++;
        out.add(words.before, 0, words.before.length);
        out.size('$', to - from);
        out.add(names, from, to);
        out.add(words.after, 0, words.after.length);
    }

    public void put(byte[][] words) {
        begin(words.length);
        for (byte[] word : words) {
            word(word);
        }
    }

    /** Bytes of the packet that is being put together. */
    public int packed() {
        return out.length();
    }

    /** Sends what was put, if anything was. */
    public void send() {
        if (out.length() == 0) {
            return;
        }
        sentAt = System.nanoTime();
        took = UNANSWERED;
        sent += out.length();
        try {
            out.writeTo(socket.getOutputStream());
        } catch (IOException broken) {
            throw unanswered(broken);
        }
    }

    public Reply read() {
        try {
            Reply reply = in.reply();
            arrived();
            return reply;
        } catch (IOException broken) {
            throw unanswered(broken);
        }
    }

    /** An answer that is a number; what is given where it is nothing or an error. */
    public long readWhole(long otherwise) {
        try {
            long value = in.whole(otherwise);
            arrived();
            return value;
        } catch (IOException broken) {
            throw unanswered(broken);
        }
    }

    /** A short answer as text, such as TYPE's; empty where it is an error, which is told. */
    public String readWord(Consumer<Reply.Refused> refused) {
        try {
            String word = in.word(refused);
            arrived();
            return word;
        } catch (IOException broken) {
            throw unanswered(broken);
        }
    }

    /** HSCAN's answer; nothing where it is an error. */
    public void readFields(FieldReader reader) {
        try {
            in.fields(reader);
            arrived();
        } catch (IOException broken) {
            throw unanswered(broken);
        }
    }

    /** What is done with the fields of a hash. */
    @FunctionalInterface
    public interface FieldReader {
        void read(byte[] name, byte[] value);
    }

    /**
     * SCAN's answer.
     *
     * @param into where the names are added
     * @return the next cursor, as an unsigned number
     * @throws RefusedException with the server's words if it refuses
     */
    public long readScan(Names into) {
        try {
            long cursor = in.scan(into);
            arrived();
            return cursor;
        } catch (IOException broken) {
            throw unanswered(broken);
        }
    }

    /** Nanoseconds since the last packet went. */
    public long sinceSent() {
        return System.nanoTime() - sentAt;
    }

    /** Nanoseconds from the last packet to its first answer: the server sends all of them at once. */
    public long took() {
        return Math.max(0, took);
    }

    public long commands() {
        return commands;
    }

    public long bytesSent() {
        return sent;
    }

    public long bytesReceived() {
        return in.received();
    }

    /** The longest from a packet to any of its answers. */
    public long slowestNanos() {
        return slowestNanos;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ignored) {
            // Nothing more is wanted of it.
        }
    }

    private void introduce() {
        if (endpoint.password() != null) {
            Reply reply = endpoint.user() == null
                    ? call("AUTH", endpoint.password())
                    : call("AUTH", endpoint.user(), endpoint.password());
            refuse(reply, "did not let us in");
        }
        // A user without the right to it has no name in CLIENT LIST, and nothing else is lost.
        if (call("CLIENT", "SETNAME", "hotstate-audit") instanceof Reply.Refused refused
                && refused.words().startsWith("NOAUTH")) {
            refuse(refused, "wants a password");
        }
        if (endpoint.database() > 0) {
            refuse(call("SELECT", Integer.toString(endpoint.database())), "has no such database");
        }
    }

    private void refuse(Reply reply, String what) {
        if (reply instanceof Reply.Refused refused) {
            throw new UnansweredException(endpoint + " " + what + ": " + KeyName.shown(refused.words()), null);
        }
    }

    private void begin(int words) {
        commands++;
        out.size('*', words);
    }

    private void word(byte[] word) {
        out.size('$', word.length);
        out.add(word, 0, word.length);
        out.add(CRLF, 0, 2);
    }

    private void arrived() {
        long since = System.nanoTime() - sentAt;
        slowestNanos = Math.max(slowestNanos, since);
        if (took == UNANSWERED) {
            took = since;
        }
    }

    /** What is still on its way would be taken for the answer to the next question, so the connection ends. */
    private UnansweredException unanswered(IOException broken) {
        close();
        String what = broken instanceof SocketTimeoutException ? " did not answer in time" : " ended the connection: ";
        return new UnansweredException(
                endpoint + what + (broken instanceof SocketTimeoutException ? "" : broken.getMessage()), broken);
    }
}
