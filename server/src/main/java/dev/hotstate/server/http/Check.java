package dev.hotstate.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is wrong with a request, so that the caller is told everything at once.
 *
 * <pre>{@code
 * var check = new Check();
 * check.that(body.name() != null, "name", "is required");
 * var limit = check.value("limit", () -> new Limit(body.limit()));
 * check.refuse();
 * }</pre>
 */
public final class Check {
    private final List<FieldError> errors = new ArrayList<>();

    public Check that(boolean holds, String field, String message) {
        if (!holds) {
            errors.add(new FieldError(field, message));
        }
        return this;
    }

    /** The field is there; a text must not be blank either. */
    public Check required(@Nullable Object value, String field) {
        return that(value != null && !(value instanceof String text && text.isBlank()), field, "is required");
    }

    /** The field, if given, can be an id. */
    public Check id(@Nullable String value, String field) {
        if (value != null) {
            Ids.objection(value).ifPresent(why -> errors.add(new FieldError(field, why)));
        }
        return this;
    }

    /** A value that checks itself: what it objects to becomes the field's error. Null only when it did. */
    public <T> @Nullable T value(String field, Supplier<T> self) {
        try {
            return self.get();
        } catch (IllegalArgumentException e) {
            errors.add(new FieldError(field, String.valueOf(e.getMessage())));
            return null;
        }
    }

    /** Refuses the request if anything was wrong with it. */
    public void refuse() {
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
    }
}
