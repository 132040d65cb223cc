package dev.hotstate.monitors;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BinaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that a definition may have: passwords and tokens, headers that carry such, the password in a URL. Whoever
 * reads a definition sees a mask in their place, and a mask that is sent back stands for the secret that is stored.
 */
final class Secrets {
    /** Of characters that may stand in a URL, so that a masked one is still a URL. */
    static final String MASK = "********";

    private static final Pattern TELLING =
            Pattern.compile("auth|cookie|token|secret|passw|credential|signature|api.?key"
                    + "|access.?key|private.?key|^x-.*key$|^key$|^sig$");
    private static final Pattern IN_URL = Pattern.compile("(?<=://)([^/?#]*)@|(?<=[?&])([^=&#]+)=([^&#]*)");

    private Secrets() {}

    static @Nullable String masked(@Nullable String secret) {
        return secret == null || secret.isEmpty() ? secret : MASK;
    }

    static @Nullable String kept(@Nullable String given, @Nullable String stored) {
        return MASK.equals(given) && stored != null ? stored : given;
    }

    static Map<String, @Nullable String> maskedHeaders(Map<String, @Nullable String> headers) {
        var masked = new TreeMap<String, @Nullable String>();
        headers.forEach((name, value) -> masked.put(name, isTelling(name) ? masked(value) : value));
        return masked;
    }

    static Map<String, @Nullable String> keptHeaders(Map<String, @Nullable String> given, Map<String, String> stored) {
        var byName = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        byName.putAll(stored);
        var kept = new TreeMap<String, @Nullable String>();
        given.forEach((name, value) -> kept.put(name, kept(value, byName.get(name))));
        return kept;
    }

    static String maskedUrl(String url) {
        return replaced(url, (place, value) -> value.isEmpty() ? value : MASK);
    }

    static String keptUrl(String given, String stored) {
        if (!given.contains(MASK)) {
            return given;
        }
        var byPlace = new TreeMap<String, String>();
        replaced(stored, (place, value) -> {
            byPlace.putIfAbsent(place, value);
            return value;
        });
        return replaced(given, (place, value) -> value.equals(MASK) ? byPlace.getOrDefault(place, value) : value);
    }

    static boolean isMasked(@Nullable String value) {
        return MASK.equals(value);
    }

    static boolean isMaskedUrl(String url) {
        var masks = new AtomicBoolean();
        replaced(url, (place, value) -> {
            masks.compareAndSet(false, isMasked(value));
            return value;
        });
        return masks.get();
    }

    private static boolean isTelling(String name) {
        return TELLING.matcher(name.toLowerCase(Locale.ROOT)).find();
    }

    /** The password of the user, whose place is "@", and each telling parameter, whose place is its name. */
    private static String replaced(String url, BinaryOperator<String> to) {
        return IN_URL.matcher(url).replaceAll(found -> Matcher.quoteReplacement(part(found, to)));
    }

    private static String part(MatchResult found, BinaryOperator<String> to) {
        if (found.group(2) != null) {
            String name = found.group(2);
            return isTelling(name) ? name + "=" + to.apply(name, found.group(3)) : found.group();
        }
        String user = found.group(1);
        int colon = user.indexOf(':');
        return colon < 0
                ? found.group()
                : user.substring(0, colon + 1) + to.apply("@", user.substring(colon + 1)) + "@";
    }
}
