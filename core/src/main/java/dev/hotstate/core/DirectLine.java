package dev.hotstate.core;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.internal.ExceptionFactory;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisStateMachine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A connection that one call at a time has for itself: the caller's thread writes the command and reads the answer. On a
 * shared connection a call passes through Netty's thread, both ways; waking threads is most of what such a call takes, and
 * a caller that does nothing but wait for its answer gains nothing by the company.
 *
 * <p>A virtual thread that is the only caller under way looks for the answer a while before it sleeps, where answers have come
 * within that while lately: to be woken takes longer than Redis does. A thread of the system's is woken by the system itself,
 * and sleeps at once. Commands and answers are Lettuce's in their form.
 *
 * <p>After any failure but an answer that is an error, the line is closed: what is still on its way would be taken for the
 * answer to the next command.
 */
final class DirectLine implements AutoCloseable {
    /** In CLIENT LIST. */
    static final String NAME = "hotstate-direct";

    private static final long LONGEST_LOOK = TimeUnit.MICROSECONDS.toNanos(250);

    /** So many in a row that came later than that, and nobody looks for the next one. */
    private static final int MOST_LATE = 4;

    private static final boolean CORE_TO_SPARE = Runtime.getRuntime().availableProcessors() > 1;
    private static final int ROOM = 16 * 1024;

    /** Buffers that a large answer has made larger than this are not kept. */
    private static final int MOST_KEPT = 1024 * 1024;

    private final SocketChannel channel;
    private final Socket socket;
    private final InputStream blocking;
    private final RedisStateMachine answers = new RedisStateMachine();
    private ByteBuf out = Unpooled.buffer(ROOM);
    private ByteBuf in = Unpooled.buffer(ROOM);

    /** Answers that came too late to look for them, since the last that did not. */
    private int late = MOST_LATE;

    /** How long answers take that were looked for, by and by. */
    private long usual = LONGEST_LOOK / 2;

    private DirectLine(SocketChannel channel) throws IOException {
        this.channel = channel;
        this.socket = channel.socket();
        this.blocking = socket.getInputStream();
        channel.configureBlocking(false);
    }

    /** Connects, and shows who we are. */
    static DirectLine open(RedisURI node, Duration within) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            channel.socket().connect(new InetSocketAddress(node.getHost(), node.getPort()), (int) within.toMillis());
            DirectLine line = new DirectLine(channel);
            line.introduce(node, within);
            return line;
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    private void introduce(RedisURI node, Duration within) throws IOException {
        socket.setSoTimeout((int) within.toMillis());
        RedisCredentials known =
                node.getCredentialsProvider().resolveCredentials().block();
        if (known != null && known.hasPassword()) {
            CommandArgs<String, String> who = words();
            if (known.hasUsername()) {
                who.add(known.getUsername());
            }
            ask(status(CommandType.AUTH, who.add(known.getPassword())), false);
        }
        try {
            ask(status(CommandType.CLIENT, words().add("SETNAME").add(NAME)), false);
        } catch (RedisCommandExecutionException unnamed) {
            // A user without the right to it has no name in CLIENT LIST, and nothing else is lost.
        }
        if (node.getDatabase() > 0) {
            ask(status(CommandType.SELECT, words().add(node.getDatabase())), false);
        }
        // From here on what lasts too long has its line closed: a timer for each wait would wake a thread more.
        socket.setSoTimeout(0);
    }

    private static CommandArgs<String, String> words() {
        return new CommandArgs<>(Utf8.CODEC);
    }

    private static Command<String, String, String> status(CommandType type, CommandArgs<String, String> args) {
        return new Command<>(type, new StatusOutput<>(Utf8.CODEC), args);
    }

    /** Whether it can be used: neither side has closed it, as far as that is known here. */
    boolean isUsable() {
        try {
            return channel.isOpen() && in.writeBytes(channel, 1) == 0;
        } catch (IOException broken) {
            return false;
        }
    }

    boolean isClosed() {
        return !channel.isOpen();
    }

    /**
     * Sends a command and awaits its answer.
     *
     * @param alone whether nobody else waits for Redis just now
     * @throws RedisCommandExecutionException where the answer is an error
     */
    <T> T ask(Command<String, String, T> command, boolean alone) throws IOException {
        boolean answered = false;
        try {
            long sent = System.nanoTime();
            write(command);
            CommandOutput<String, String, T> output = command.getOutput();
            boolean looks = alone
                    && CORE_TO_SPARE
                    && late < MOST_LATE
                    && Thread.currentThread().isVirtual();
            do {
                read(looks ? sent + 2 * usual : sent);
            } while (!answers.decode(in, output));
            answered = true;
            learn(System.nanoTime() - sent, looks);
            if (output.hasError()) {
                throw ExceptionFactory.createExecutionException(output.getError());
            }
            return output.get();
        } catch (IOException broken) {
            throw Thread.currentThread().isInterrupted() ? new ClosedByInterruptException() : broken;
        } finally {
            if (answered) {
                clear();
            } else {
                close();
            }
        }
    }

    /**
     * An answer that takes twice as long as usual is not looked for any longer: perhaps Redis was put on the core that looks,
     * and waits for it.
     */
    private void learn(long took, boolean looked) {
        late = took < LONGEST_LOOK ? 0 : Math.min(late + 1, MOST_LATE);
        if (looked) {
            usual = took < 2 * usual ? (3 * usual + took) / 4 : Math.min(LONGEST_LOOK / 2, usual * 5 / 4);
        }
    }

    private void write(Command<?, ?, ?> command) throws IOException {
        command.encode(out);
        ByteBuffer bytes = out.nioBuffer();
        channel.write(bytes);
        if (bytes.hasRemaining()) {
            channel.configureBlocking(true);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.configureBlocking(false);
        }
    }

    private void read(long lookUntil) throws IOException {
        in.ensureWritable(ROOM);
        int came = 0;
        while (came == 0 && lookUntil - System.nanoTime() > 0) {
            came = in.writeBytes(channel, in.writableBytes());
        }
        if (came == 0) {
            came = awaited();
        }
        if (came < 0) {
            throw new EOFException("it hung up");
        }
    }

    private int awaited() throws IOException {
        channel.configureBlocking(true);
        int came = in.writeBytes(blocking, in.writableBytes());
        channel.configureBlocking(false);
        return came;
    }

    private void clear() {
        out = emptied(out);
        in = emptied(in);
    }

    private static ByteBuf emptied(ByteBuf used) {
        return used.capacity() > MOST_KEPT ? Unpooled.buffer(ROOM) : used.clear();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException ignored) {
            // Nothing more is wanted of it.
        }
    }
}
