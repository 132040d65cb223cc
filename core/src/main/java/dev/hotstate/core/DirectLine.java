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

/**
 * A connection that one call at a time has for itself: the caller's thread writes the command and reads the answer. On a
 * shared connection a call passes through Netty's thread, both ways; waking threads is most of what such a call takes, and
 * a caller that does nothing but wait for its answer gains nothing by the company.
 *
 * <p>Commands and answers are Lettuce's in their form.
 *
 * <p>After any failure but an answer that is an error, the line is closed: what is still on its way would be taken for the
 * answer to the next command.
 */
final class DirectLine implements AutoCloseable {
    /** In CLIENT LIST. */
    static final String NAME = "hotstate-direct";

    private static final int ROOM = 16 * 1024;

    /** Buffers that a large answer has made larger than this are not kept. */
    private static final int MOST_KEPT = 1024 * 1024;

    private final SocketChannel channel;
    private final Socket socket;
    private final InputStream blocking;
    private final RedisStateMachine answers = new RedisStateMachine();
    private ByteBuf out = Unpooled.buffer(ROOM);
    private ByteBuf in = Unpooled.buffer(ROOM);

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
            ask(status(CommandType.AUTH, who.add(known.getPassword())));
        }
        try {
            ask(status(CommandType.CLIENT, words().add("SETNAME").add(NAME)));
        } catch (RedisCommandExecutionException unnamed) {
            // A user without the right to it has no name in CLIENT LIST, and nothing else is lost.
        }
        if (node.getDatabase() > 0) {
            ask(status(CommandType.SELECT, words().add(node.getDatabase())));
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
     * @throws RedisCommandExecutionException where the answer is an error
     */
    <T> T ask(Command<String, String, T> command) throws IOException {
        boolean answered = false;
        try {
            write(command);
            CommandOutput<String, String, T> output = command.getOutput();
            do {
                read();
            } while (!answers.decode(in, output));
            answered = true;
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

    private void read() throws IOException {
        in.ensureWritable(ROOM);
        channel.configureBlocking(true);
        int came = in.writeBytes(blocking, in.writableBytes());
        channel.configureBlocking(false);
        if (came < 0) {
            throw new EOFException("it hung up");
        }
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
