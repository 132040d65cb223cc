package dev.hotstate.monitors.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * As much of a mail server as is needed to refuse things and to encrypt, which GreenMail does not do the way that is to be
 * tested: recipients that begin with "nobody" do not exist, those with "later" must be tried again.
 */
final class SmtpServer implements AutoCloseable {
    private final ServerSocket door;
    private final @Nullable SSLContext tls;
    private final Email.Tls mode;
    private final List<String> mails = new CopyOnWriteArrayList<>();
    private final List<String> commandsInTheClear = new CopyOnWriteArrayList<>();

    SmtpServer(Email.Tls mode, @Nullable SSLContext tls) {
        this.mode = mode;
        this.tls = tls;
        try {
            door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.startVirtualThread(this::listen);
    }

    int port() {
        return door.getLocalPort();
    }

    /** Each with its recipients before it. */
    List<String> mails() {
        return mails;
    }

    List<String> commandsInTheClear() {
        return commandsInTheClear;
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen() {
        while (!door.isClosed()) {
            try {
                Socket socket = door.accept();
                Thread.startVirtualThread(() -> converse(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void converse(Socket accepted) {
        try (Socket socket = mode == Email.Tls.IMPLICIT ? encrypted(accepted) : accepted) {
            say(socket, "220 test ESMTP");
            talk(socket);
        } catch (IOException gone) {
            // The client decides when a conversation is over.
        }
    }

    private void talk(Socket socket) throws IOException {
        var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        var mail = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!(socket instanceof SSLSocket)) {
                commandsInTheClear.add(line);
            }
            String verb = line.split("[ :]", 2)[0];
            switch (verb) {
                case "EHLO" -> {
                    boolean offers = mode == Email.Tls.STARTTLS && !(socket instanceof SSLSocket);
                    say(socket, offers ? "250-test\r\n250 STARTTLS" : "250-test\r\n250 AUTH PLAIN");
                }
                case "STARTTLS" -> {
                    say(socket, "220 go ahead");
                    talk(encrypted(socket));
                    return;
                }
                case "AUTH" -> say(socket, "235 welcome");
                case "RCPT" -> {
                    String answer = line.contains("<nobody")
                            ? "550 5.1.1 no such person"
                            : line.contains("<later") ? "450 4.2.0 try again later" : "250 ok";
                    if (answer.startsWith("250")) {
                        mail.append(line).append('\n');
                    }
                    say(socket, answer);
                }
                case "DATA" -> {
                    say(socket, "354 go ahead");
                    for (String text = in.readLine(); text != null && !text.equals("."); text = in.readLine()) {
                        mail.append(text).append('\n');
                    }
                    mails.add(mail.toString());
                    mail.setLength(0);
                    say(socket, "250 ok");
                }
                case "QUIT" -> {
                    say(socket, "221 bye");
                    return;
                }
                default -> say(socket, "250 ok");
            }
        }
    }

    private SSLSocket encrypted(Socket socket) throws IOException {
        var encrypted = (SSLSocket) java.util.Objects.requireNonNull(tls)
                .getSocketFactory()
                .createSocket(socket, null, socket.getPort(), true);
        encrypted.setUseClientMode(false);
        encrypted.startHandshake();
        return encrypted;
    }

    private static void say(Socket socket, String line) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write((line + "\r\n").getBytes(UTF_8));
        out.flush();
    }
}
