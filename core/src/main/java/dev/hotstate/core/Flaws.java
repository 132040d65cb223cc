package dev.hotstate.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong, so that its author is told everything at once. */
public final class Flaws {
    // Enough to repair a file by; a list of 100,000 with one mistake in each is not repeated in full.
    private static final int MOST = 100;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    // A path as the API spells it, at the beginning of a sentence about it.
    private static final Pattern NAMED =
            Pattern.compile("([a-z_]+(?:\\[[^\\]]*\\]|\\.[^\\s:]+)*):? (.+)", Pattern.DOTALL);

    private final Set<String> fields;
    private final List<Flaw> found = new ArrayList<>();

    public Flaws() {
        this(Set.of());
    }

    /** @param fields those of the document: an objection that begins with one of them is told under it */
    public Flaws(Set<String> fields) {
        this.fields = fields;
    }

    public Flaws that(boolean holds, String field, String message) {
        return holds ? this : add(new Flaw(field, message));
    }

    public Flaws add(Flaw flaw) {
        if (found.size() < MOST) {
            found.add(flaw);
        }
        return this;
    }

    /** What is told before all others, however many there are. */
    public Flaws addFirst(Flaw flaw) {
        found.addFirst(flaw);
        if (found.size() > MOST) {
            found.removeLast();
        }
        return this;
    }

    public Flaws range(String field, int value, int least, int most) {
        return that(value >= least && value <= most, field, "must be from " + least + " to " + most + ", not " + value);
    }

    public Flaws range(String field, Duration value, Duration least, Duration most) {
        boolean within = value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
        return that(
                within,
                field,
                "must be from " + Durations.print(least) + " to " + Durations.print(most) + ", not "
                        + Durations.print(value));
    }

    /** A line that a person reads. */
    public Flaws line(String field, String value, int most) {
        int length = value.codePointCount(0, value.length());
        boolean blank = length > 0 && value.isBlank();
        that(
                length > 0 && length <= most && !blank,
                field,
                "must be 1 to " + most + " characters, not " + (blank ? "only spaces" : length));
        return that(
                value.codePoints().noneMatch(Flaws::isUnprintable), field, "must not have control characters in it");
    }

    public Flaws id(String field, String value) {
        boolean fits = ID.matcher(value).matches() && !value.equals(".") && !value.equals("..");
        return that(fits, field, "must be 1 to 64 of A-Z a-z 0-9 . _ -, not \"" + shortened(value) + "\"");
    }

    public Flaws ids(String field, Collection<String> values, int most) {
        that(values.size() <= most, field, "must be at most " + most + ", not " + values.size());
        int at = 0;
        for (String value : values) {
            id(field + "[" + at++ + "]", value);
        }
        return this;
    }

    public Flaws lines(String field, Collection<String> values, int most, int longest) {
        that(values.size() <= most, field, "must be at most " + most + ", not " + values.size());
        int at = 0;
        for (String value : values) {
            line(field + "[" + at++ + "]", value, longest);
        }
        return this;
    }

    /** The texts of a list, in which a null is a flaw. */
    public List<String> present(String field, @Nullable List<@Nullable String> values) {
        var present = new ArrayList<String>();
        for (String value : Objects.requireNonNullElse(values, List.<@Nullable String>of())) {
            that(value != null, field + "[" + present.size() + "]", "must be a text");
            present.add(Objects.requireNonNullElse(value, "none"));
        }
        return present;
    }

    /**
     * A value that checks itself. What it objects to is noted: its flaws as they are, any other objection under the field
     * that its message begins with, or else under the given one. Null only then.
     */
    public <T> @Nullable T value(String field, Supplier<T> self) {
        try {
            return self.get();
        } catch (InvalidDocumentException several) {
            several.flaws().forEach(this::add);
        } catch (IllegalArgumentException one) {
            add(told(field, String.valueOf(one.getMessage())));
        }
        return null;
    }

    public boolean none() {
        return found.isEmpty();
    }

    public void moveTo(Flaws all, String place) {
        found.forEach(flaw -> all.add(flaw.under(place)));
    }

    /** @throws InvalidDocumentException if anything was wrong */
    public void refuse() {
        if (!found.isEmpty()) {
            throw new InvalidDocumentException(found);
        }
    }

    private Flaw told(String field, String message) {
        var named = NAMED.matcher(message);
        return named.matches() && fields.contains(root(named.group(1)))
                ? new Flaw(named.group(1), named.group(2))
                : new Flaw(field, message);
    }

    private static String root(String field) {
        return field.split("[.\\[]", 2)[0];
    }

    /** Half a surrogate pair is no character: neither PostgreSQL nor UTF-8 has a way to write it. */
    private static boolean isUnprintable(int character) {
        return Character.isISOControl(character)
                || (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE)
                || character == '\u2028'
                || character == '\u2029';
    }

    private static String shortened(String value) {
        return value.length() > 80 ? value.substring(0, 80) + "…" : value;
    }
}
