package dev.hotstate.monitors.alert;

import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.time.Instant;
import java.util.Date;
import java.util.stream.Collectors;

/** A message as mail. The library makes up an id for it; ours is the same for each attempt, so a repeat can be known. */
final class Mail extends MimeMessage {
    private static final int LONGEST_LINE = 900; // SMTP allows 998 bytes, and the library folds what is encoded

    private final String id;

    private Mail(Session session, String id) {
        super(session);
        this.id = id;
    }

    static Mail of(Session session, Message message, String key, Email settings, Instant now)
            throws MessagingException {
        InternetAddress from = new InternetAddress(settings.from(), true);
        Mail mail = new Mail(session, id(key, from));
        mail.setFrom(from);
        for (String to : settings.to()) {
            mail.addRecipient(RecipientType.TO, new InternetAddress(to, true));
        }
        mail.setSubject(Wording.headline(message), "UTF-8");
        mail.setSentDate(Date.from(now));
        mail.setHeader("Idempotency-Key", key);
        mail.setHeader("References", id("incident-" + message.incident(), from)); // one thread an incident
        mail.setHeader("Auto-Submitted", "auto-generated"); // so that nobody's holiday notice answers
        mail.setText(body(message), "UTF-8");
        return mail;
    }

    @Override
    protected void updateMessageID() throws MessagingException {
        setHeader("Message-ID", id);
    }

    private static String id(String key, InternetAddress from) {
        String address = from.getAddress();
        return "<" + key + ".hotstate" + address.substring(address.lastIndexOf('@')) + ">";
    }

    private static String body(Message message) {
        return Wording.details(message).stream()
                        .map(line -> Text.oneLine(line, LONGEST_LINE))
                        .collect(Collectors.joining("\r\n"))
                + "\r\n";
    }
}
