package dev.hotstate.server.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is wrong with a request, so that the caller is told everything at once.
 *
 * <pre>{@code
 * var check = new Check();
 * check.required(body.name(), "name");
 * var limit = check.checked("", () -> new Limit(body.limit()));
 * check.refuse();
 * }</pre>
 */
public final class Check {
    // Enough to mend a request by; a list with a mistake in each of its items is not repeated in full.
    static final int MOST = 100;

    private final List<FieldError> errors = new ArrayList<>();

    public Check that(boolean holds, String field, String message) {
        return holds ? this : add(field, message);
    }

    private Check add(String field, String message) {
        if (errors.size() < MOST) {
            errors.add(new FieldError(field, message));
        }
        return this;
    }

    /** The field is there, even if its text is blank. */
    public Check given(@Nullable Object value, String field) {
        return that(value != null, field, "is required");
    }

    /** The field is there; a text must not be blank either. */
    public Check required(@Nullable Object value, String field) {
        return given(value instanceof String text && text.isBlank() ? null : value, field);
    }

    /** The field, if given, can be an id. */
    public Check id(@Nullable String value, String field) {
        if (value != null) {
            Ids.objection(value).ifPresent(why -> add(field, why));
        }
        return this;
    }

    /** The field, if given, is the name of one of these, as the API spells it: in small letters. */
    public Check oneOf(@Nullable String word, String field, Enum<?>[] values) {
        var words = Arrays.stream(values)
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList();
        return that(word == null || words.contains(word), field, "must be one of " + String.join(", ", words));
    }

    /**
     * A value that checks itself. What it objects to begins with the name of its field: {@code limit must be …} of the
     * rule at {@code [2].} becomes the error of {@code [2].limit}. Null only when it objected.
     */
    public <T> @Nullable T checked(String place, Supplier<T> self) {
        try {
            return self.get();
        } catch (IllegalArgumentException objection) {
            var sentence = String.valueOf(objection.getMessage());
            int end = sentence.indexOf(' ');
            add(place + sentence.substring(0, Math.max(0, end)), sentence.substring(end + 1));
            return null;
        }
    }

    /** Whether nothing was wrong with the fields of that place so far. */
    public boolean isClean(String place) {
        return errors.stream().noneMatch(error -> error.field().startsWith(place));
    }

    /** Refuses the request if anything was wrong with it. */
    public void refuse() {
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
    }
}
