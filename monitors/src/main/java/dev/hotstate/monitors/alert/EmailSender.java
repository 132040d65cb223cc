package dev.hotstate.monitors.alert;

import dev.hotstate.monitors.alert.Verdict.Delivered;
import dev.hotstate.monitors.alert.Verdict.Failed;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Properties;
import java.util.stream.Collectors;

/** Sends mail by SMTP. */
final class EmailSender {
    private final AlertOptions options;
    private final InstantSource clock;

    EmailSender(AlertOptions options, InstantSource clock) {
        this.options = options;
        this.clock = clock;
    }

    /** One refused recipient does not keep the others from knowing: who could be written to has been, and is not again. */
    Verdict send(Message message, String key, Email settings) throws MessagingException {
        Session session = Session.getInstance(properties(settings));
        MimeMessage mail = mail(session, message, key, settings);
        try (Transport transport = session.getTransport("smtp")) {
            transport.connect(
                    settings.host(),
                    settings.port(),
                    settings.user(),
                    settings.password() == null ? null : settings.password().reveal());
            transport.sendMessage(mail, mail.getAllRecipients());
            return new Delivered(null);
        } catch (SendFailedException refused) {
            boolean some = refused.getValidSentAddresses() != null && refused.getValidSentAddresses().length > 0;
            String error = "refused for " + refusedOnes(refused) + ": " + Reason.of(refused.getNextException());
            return some ? new Delivered(error) : new Failed(error);
        }
    }

    private static MimeMessage mail(Session session, Message message, String key, Email settings)
            throws MessagingException {
        InternetAddress from = new InternetAddress(settings.from(), true);
        MimeMessage mail = new Keyed(session, id(key, from));
        mail.setFrom(from);
        for (String to : settings.to()) {
            mail.addRecipient(RecipientType.TO, new InternetAddress(to, true));
        }
        mail.setSubject(Wording.headline(message), "UTF-8");
        mail.setHeader("Idempotency-Key", key);
        mail.setHeader("Auto-Submitted", "auto-generated"); // so that nobody's holiday notice answers
        mail.setText(body(message), "UTF-8");
        return mail;
    }

    private static String body(Message message) {
        return Wording.details(message).stream()
                        .map(line -> Text.oneLine(line, 2000))
                        .collect(Collectors.joining("\r\n"))
                + "\r\n";
    }

    private static String id(String key, InternetAddress from) {
        String address = from.getAddress();
        return "<" + key + ".hotstate" + address.substring(address.lastIndexOf('@')) + ">";
    }

    private static String refusedOnes(SendFailedException refused) {
        var addresses = Arrays.asList(
                refused.getInvalidAddresses() == null ? new jakarta.mail.Address[0] : refused.getInvalidAddresses());
        return addresses.isEmpty()
                ? "all"
                : addresses.stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    private Properties properties(Email settings) {
        String timeout = Long.toString(options.pace().timeout().toMillis());
        Properties properties = new Properties();
        properties.put("mail.smtp.connectiontimeout", timeout);
        properties.put("mail.smtp.timeout", timeout);
        properties.put("mail.smtp.sendpartial", "true");
        properties.put("mail.smtp.auth", Boolean.toString(settings.user() != null));
        properties.put("mail.smtp.ssl.enable", Boolean.toString(settings.tls() == Email.Tls.IMPLICIT));
        properties.put("mail.smtp.starttls.enable", Boolean.toString(settings.tls() == Email.Tls.STARTTLS));
        properties.put("mail.smtp.starttls.required", Boolean.toString(settings.tls() == Email.Tls.STARTTLS));
        properties.put("mail.smtp.ssl.checkserveridentity", "true");
        return properties;
    }

    /** The library makes up an id on saving; ours is the same for each attempt, so that mail servers know a repeat. */
    private static final class Keyed extends MimeMessage {
        private final String id;

        Keyed(Session session, String id) {
            super(session);
            this.id = id;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", id);
        }
    }
}
