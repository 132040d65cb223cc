package dev.hotstate.monitors.alert;

import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * People who are written to through a mail server.
 *
 * @param user as whom to log in; null to send without
 * @param password null without a user
 */
public record Email(
        String host,
        int port,
        Tls tls,
        @Nullable String user,
        @Nullable Secret password,
        String from,
        List<String> to) implements Settings {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:-]{1,253}");
    private static final int MOST_RECIPIENTS = 50;
    private static final int LONGEST = 1024;

    /** How the connection is encrypted. */
    public enum Tls {
        NONE,
        /** It begins in the clear and is encrypted before anything is said, or not used at all. */
        STARTTLS,
        IMPLICIT;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Email {
        if (!HOST.matcher(host).matches()) {
            throw new IllegalArgumentException("host must be the name or address of a mail server");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port must be from 1 to 65535, not " + port);
        }
        if (user != null && !isLine(user)) {
            throw new IllegalArgumentException("user must be one line of 1 to " + LONGEST + " characters");
        }
        if (password != null && !password.isKept() && !isLine(password.reveal())) {
            throw new IllegalArgumentException("password must be one line of 1 to " + LONGEST + " characters");
        }
        if (user == null && password != null && !password.isKept()) {
            throw new IllegalArgumentException("password is of no use without a user");
        }
        requireAddress("from", from);
        if (to.isEmpty() || to.size() > MOST_RECIPIENTS) {
            throw new IllegalArgumentException("to must be 1 to " + MOST_RECIPIENTS + " addresses, not " + to.size());
        }
        for (int i = 0; i < to.size(); i++) {
            requireAddress("to[" + i + "]", to.get(i));
        }
        to = List.copyOf(to);
    }

    @Override
    public ChannelType type() {
        return ChannelType.EMAIL;
    }

    /** With the stored password if it is to be kept, as long as it goes to the same server. */
    Email over(Email before) {
        if (password == null || !password.isKept() || user == null) {
            return alone();
        }
        boolean same = host.equalsIgnoreCase(before.host) && port == before.port && tls == before.tls;
        if (!same && before.password != null) {
            throw new IllegalArgumentException("password must be given again when host, port or tls change");
        }
        return with(before.password);
    }

    /** With nothing to keep. */
    Email alone() {
        return password != null && password.isKept() ? with(null) : this;
    }

    List<String> secrets() {
        return password == null ? List.of() : List.of(password.reveal());
    }

    private Email with(@Nullable Secret secret) {
        return new Email(host, port, tls, user, secret, from, to);
    }

    private static boolean isLine(String text) {
        return !text.isEmpty() && text.length() <= LONGEST && !Text.hasControls(text);
    }

    private static void requireAddress(String field, String text) {
        if (!isLine(text) || !isAddress(text)) {
            throw new IllegalArgumentException(
                    field + " must be an address such as ops@example.com, not \"" + Text.oneLine(text, 100) + "\"");
        }
    }

    private static boolean isAddress(String text) {
        try {
            return new InternetAddress(text, true).getAddress().indexOf('@') > 0;
        } catch (AddressException malformed) {
            return false;
        }
    }
}
