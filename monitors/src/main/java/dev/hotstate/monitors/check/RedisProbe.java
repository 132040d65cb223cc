package dev.hotstate.monitors.check;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether a Redis says PONG. Three words of its protocol are spoken here, not by a client: a client would resolve the name
 * once more, connect to what it then finds, and reconnect.
 */
final class RedisProbe implements Probe {
    private static final int LONGEST_LINE = 4096;

    private final Dialer dialer;
    private final Handshakes handshakes;

    RedisProbe(Dialer dialer, Handshakes handshakes) {
        this.dialer = dialer;
        this.handshakes = handshakes;
    }

    @Override
    public void ask(CheckSpec spec, Deadline deadline, Evidence evidence) throws CheckFailedException {
        Target target = spec.where();
        Socket socket = dialer.dial(target, deadline, evidence);
        if (target.isSecure()) {
            socket = handshakes
                    .shake(socket, target, spec.options().tls(), deadline, evidence)
                    .socket();
        }
        try {
            ping(socket, commands(target));
        } catch (IOException e) {
            throw CheckFailedException.of(e, deadline, "waiting for the PONG of " + target.authority());
        }
    }

    private static List<List<String>> commands(Target target) {
        List<List<String>> commands = new ArrayList<>();
        if (!target.userInfo().isEmpty()) {
            commands.add(authentication(target.userInfo()));
        }
        if (target.path().length() > 1) {
            commands.add(List.of("SELECT", target.path().substring(1)));
        }
        commands.add(List.of("PING"));
        return commands;
    }

    /** Before Redis 6 there was a password without a user. */
    private static List<String> authentication(String userInfo) {
        int colon = userInfo.indexOf(':');
        String password = decoded(userInfo.substring(colon + 1));
        return colon <= 0
                ? List.of("AUTH", password)
                : List.of("AUTH", decoded(userInfo.substring(0, colon)), password);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static void ping(Socket socket, List<List<String>> commands) throws IOException, CheckFailedException {
        socket.getOutputStream().write(encoded(commands));
        var in = new BufferedInputStream(socket.getInputStream());
        String reply = "";
        for (int i = 0; i < commands.size(); i++) {
            reply = line(in);
            if (reply.startsWith("-")) {
                throw refused(reply.substring(1));
            }
        }
        if (!reply.equals("+PONG")) {
            throw new CheckFailedException(
                    Failure.GARBLED, "the answer to PING was \"" + Quoted.excerpt(reply) + "\", not PONG");
        }
    }

    private static byte[] encoded(List<List<String>> commands) {
        var bytes = new ByteArrayOutputStream();
        for (List<String> command : commands) {
            bytes.writeBytes(("*" + command.size() + "\r\n").getBytes(StandardCharsets.US_ASCII));
            for (String word : command) {
                byte[] utf8 = word.getBytes(StandardCharsets.UTF_8);
                bytes.writeBytes(("$" + utf8.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
                bytes.writeBytes(utf8);
                bytes.writeBytes(new byte[] {'\r', '\n'});
            }
        }
        return bytes.toByteArray();
    }

    private static String line(InputStream in) throws IOException, CheckFailedException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            if (line.length() == LONGEST_LINE) {
                throw new CheckFailedException(Failure.GARBLED, "the answer is not that of a Redis");
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private static CheckFailedException refused(String error) {
        String code = error.split(" ", 2)[0];
        Failure failure = switch (code) {
            case "NOAUTH", "WRONGPASS", "NOPERM", "DENIED" -> Failure.DENIED;
            default -> error.contains("AUTH") || error.contains("password") ? Failure.DENIED : Failure.NOT_READY;
        };
        return new CheckFailedException(failure, "Redis answered: " + Quoted.excerpt(error, 200));
    }
}
