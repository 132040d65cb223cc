package dev.hotstate.monitors;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which monitors are wanted; what is null does not matter.
 *
 * @param tag one that they have
 * @param q a part of name, id, target or a tag, in upper or lower case
 */
public record Filter(@Nullable String tag, @Nullable String q) {
    public static final Filter ALL = new Filter(null, null);

    public Filter {
        q = q == null || q.isBlank() ? null : q.trim().toLowerCase(Locale.ROOT);
        tag = tag == null || tag.isBlank() ? null : tag;
    }
}
