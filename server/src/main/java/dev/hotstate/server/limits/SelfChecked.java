package dev.hotstate.server.limits;

import dev.hotstate.server.http.FieldError;
import dev.hotstate.server.http.Ids;
import dev.hotstate.server.http.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is wrong with a body whose values check themselves. Their sentences begin with the name of the field:
 * {@code limit must be …} of the rule at {@code [2].} becomes the error of {@code [2].limit}.
 */
final class SelfChecked {
    private final List<FieldError> errors = new ArrayList<>();

    SelfChecked that(boolean holds, String field, String message) {
        if (!holds) {
            errors.add(new FieldError(field, message));
        }
        return this;
    }

    SelfChecked required(@Nullable Object value, String field) {
        return that(value != null, field, "is required");
    }

    SelfChecked id(@Nullable String value, String field) {
        if (value != null) {
            Ids.objection(value).ifPresent(why -> errors.add(new FieldError(field, why)));
        }
        return this;
    }

    SelfChecked oneOf(@Nullable String word, String field, Enum<?>[] values) {
        var words = Arrays.stream(values).map(RuleDocument::word).collect(Collectors.joining(", "));
        boolean known =
                word == null || Arrays.stream(values).map(RuleDocument::word).anyMatch(word::equals);
        return that(known, field, "must be one of " + words);
    }

    /** Null only when it objected. */
    <T> @Nullable T value(String place, Supplier<T> self) {
        try {
            return self.get();
        } catch (IllegalArgumentException objection) {
            var sentence = String.valueOf(objection.getMessage());
            int end = sentence.indexOf(' ');
            errors.add(new FieldError(place + sentence.substring(0, Math.max(0, end)), sentence.substring(end + 1)));
            return null;
        }
    }

    /** Whether nothing was wrong with the fields of that place so far. */
    boolean isClean(String place) {
        return errors.stream().noneMatch(error -> error.field().startsWith(place));
    }

    /** @throws Problem 400 with everything that was wrong */
    void refuse() {
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
    }
}
