package dev.hotstate.monitors.alert;

import dev.hotstate.monitors.alert.Verdict.Delivered;
import dev.hotstate.monitors.alert.Verdict.Failed;
import jakarta.mail.Address;
import jakarta.mail.Authenticator;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Properties;
import java.util.stream.Collectors;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;

/** Sends mail by SMTP, each on a connection of its own. */
final class EmailSender {
    private final MailSockets sockets;
    private final AlertOptions.Network network;
    private final Duration timeout;
    private final InstantSource clock;

    EmailSender(AlertOptions options, InstantSource clock) {
        this.network = options.network();
        this.timeout = options.pace().timeout();
        this.sockets = new MailSockets(network, timeout);
        this.clock = clock;
    }

    Verdict send(Message message, String key, Email settings) throws MessagingException, IOException {
        Session session = Session.getInstance(properties(settings), login(settings));
        Mail mail = Mail.of(session, message, key, settings, clock.instant());
        try (Socket socket = sockets.connect(settings)) {
            SMTPTransport transport = new SMTPTransport(session, null);
            try {
                transport.connect(socket);
                transport.sendMessage(mail, mail.getAllRecipients());
                return new Delivered(null);
            } catch (SendFailedException refused) {
                return judge(refused);
            } finally {
                leave(transport);
            }
        }
    }

    /**
     * A recipient who is refused for good does not keep the others from knowing, who have the mail by now. One who is
     * refused for the moment is worth another mail to all.
     */
    private static Verdict judge(SendFailedException refused) {
        String error = Reason.of(refused.getNextException() == null ? refused : refused.getNextException());
        boolean someSent = count(refused.getValidSentAddresses()) > 0;
        boolean someLeft = count(refused.getValidUnsentAddresses()) > 0;
        return someSent && !someLeft
                ? new Delivered("not to " + names(refused.getInvalidAddresses()) + ": " + error)
                : new Failed(error);
    }

    /** What comes after the mail was taken cannot undo it. */
    private static void leave(SMTPTransport transport) {
        try {
            transport.close();
        } catch (MessagingException gone) {
            // It has left before us.
        }
    }

    private Properties properties(Email settings) {
        Properties properties = new Properties();
        properties.put("mail.smtp.host", settings.host());
        properties.put("mail.smtp.timeout", Long.toString(timeout.toMillis()));
        properties.put("mail.smtp.auth", Boolean.toString(settings.user() != null));
        properties.put("mail.smtp.starttls.enable", Boolean.toString(settings.tls() == Email.Tls.STARTTLS));
        properties.put("mail.smtp.starttls.required", Boolean.toString(settings.tls() == Email.Tls.STARTTLS));
        properties.put("mail.smtp.ssl.socketFactory", network.tls().getSocketFactory());
        properties.put("mail.smtp.sendpartial", "true");
        properties.put("mail.smtp.quitwait", "false");
        return properties;
    }

    private static @Nullable Authenticator login(Email settings) {
        if (settings.user() == null) {
            return null;
        }
        String password = settings.password() == null ? "" : settings.password().reveal();
        return new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication(settings.user(), password);
            }
        };
    }

    private static int count(Address @Nullable [] addresses) {
        return addresses == null ? 0 : addresses.length;
    }

    private static String names(Address @Nullable [] addresses) {
        return addresses == null
                ? "some"
                : Arrays.stream(addresses).map(Address::toString).collect(Collectors.joining(", "));
    }
}
