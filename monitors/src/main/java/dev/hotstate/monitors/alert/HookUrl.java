package dev.hotstate.monitors.alert;

import com.fasterxml.jackson.annotation.JsonValue;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where messages are posted. Who knows the whole of it may often post there too, so all that is shown is the server:
 * {@code https://hooks.example.com/***}. That, sent back, stands for the URL that is stored, and for none on another server.
 */
public final class HookUrl {
    /** Whatever is stored already. */
    static final HookUrl KEPT = new HookUrl(null);

    private static final String MASKED_PATH = "/" + Secret.MASK;

    private final @Nullable URI url;

    private HookUrl(@Nullable URI url) {
        this.url = url;
    }

    /** @throws IllegalArgumentException with a sentence that begins with "url" */
    public static HookUrl of(String text) {
        return new HookUrl(HttpUrl.parse(text));
    }

    boolean isKept() {
        return url == null || (MASKED_PATH.equals(url.getRawPath()) && url.getRawQuery() == null);
    }

    /** This, or what is stored where this says to keep it. */
    HookUrl over(HookUrl stored) {
        if (!isKept()) {
            return this;
        }
        if (url != null && !isSameServer(stored)) {
            throw new IllegalArgumentException("url must be written again, since it names another server");
        }
        return stored;
    }

    /** With nothing to keep. */
    HookUrl alone() {
        if (isKept()) {
            throw new IllegalArgumentException(
                    url == null ? "url is required" : "url must be written out: there is none to keep");
        }
        return this;
    }

    /** One that is kept without a word of it is. */
    boolean isSameServer(HookUrl other) {
        return url == null || other.url == null || origin(url).equals(origin(other.url));
    }

    URI reveal() {
        return Objects.requireNonNull(url, "a URL to be kept has no value before it is merged");
    }

    /** Errors name the path more often than the whole. */
    List<String> secrets() {
        URI all = reveal();
        return hasMore(all) ? Stream.of(all.toString(), all.getRawPath()).toList() : List.of();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HookUrl that && Objects.equals(url, that.url);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(url);
    }

    @Override
    @JsonValue
    public String toString() {
        if (url == null) {
            return Secret.MASK;
        }
        return hasMore(url) ? url.getScheme() + "://" + url.getRawAuthority() + MASKED_PATH : url.toString();
    }

    private static boolean hasMore(URI url) {
        return url.getRawPath().length() > 1 || url.getRawQuery() != null;
    }

    private static String origin(URI url) {
        int port = url.getPort() >= 0 ? url.getPort() : "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
        return (url.getScheme() + "://" + Objects.requireNonNull(url.getHost()) + ":" + port).toLowerCase(Locale.ROOT);
    }
}
