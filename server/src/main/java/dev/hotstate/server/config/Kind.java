package dev.hotstate.server.config;

import dev.hotstate.core.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * What a setting's value may be.
 *
 * @param accepts what is accepted, as it stands after "give" in an error and in the document
 * @param parser throws IllegalArgumentException for anything else
 */
record Kind<T>(String accepts, Function<String, T> parser) {
    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,12})\\s*([A-Za-z]*)");
    private static final Map<String, Long> BYTES = Map.of("b", 1L, "kb", 1L << 10, "mb", 1L << 20, "gb", 1L << 30);

    T parse(String text) {
        return parser.apply(text.strip());
    }

    static Kind<String> text(String accepts, String pattern) {
        return new Kind<>(accepts, text -> require(text.matches(pattern), text));
    }

    static Kind<Path> file(String accepts) {
        return new Kind<>(accepts, text -> Path.of(require(!text.isEmpty(), text)));
    }

    static Kind<String> optionalFile(String accepts) {
        return new Kind<>(accepts, text -> Path.of(text).toString());
    }

    static Kind<Integer> number(int least, int most) {
        return new Kind<>("a whole number from " + least + " to " + most, text -> {
            int number = Integer.parseInt(text);
            require(number >= least && number <= most, text);
            return number;
        });
    }

    static Kind<Double> decimal(int least, int most) {
        return new Kind<>("a number from " + least + " to " + most, text -> {
            double number = Double.parseDouble(text);
            require(number >= least && number <= most, text);
            return number;
        });
    }

    /** Empty for the word auto: then something else decides. */
    static Kind<OptionalInt> numberOrAuto(int least, int most) {
        var number = number(least, most);
        return new Kind<>(
                number.accepts() + ", or auto",
                text -> text.equals("auto") ? OptionalInt.empty() : OptionalInt.of(number.parse(text)));
    }

    static Kind<Duration> duration(Duration most) {
        return duration(Duration.ofMillis(1), most);
    }

    static Kind<Duration> duration(Duration least, Duration most) {
        var range = Durations.print(least) + " to " + Durations.print(most);
        return new Kind<>("a duration such as 500ms, 30s or 5m, from " + range, text -> {
            var duration = Durations.parse(text);
            require(duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0, text);
            return duration;
        });
    }

    static Kind<Long> size(String mostText) {
        long most = bytes(mostText);
        return new Kind<>("a size such as 64KB or 1MB, at most " + mostText, text -> {
            long bytes = bytes(text);
            require(bytes > 0 && bytes <= most, text);
            return bytes;
        });
    }

    static <E extends Enum<E>> Kind<E> choice(Class<E> type) {
        var words = Arrays.stream(type.getEnumConstants())
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList();
        return new Kind<>(
                "one of " + String.join(", ", words),
                text -> Enum.valueOf(type, require(words.contains(text), text).toUpperCase(Locale.ROOT)));
    }

    /** Words separated by commas, each of them known; nothing at all is an empty list. */
    static Kind<Set<String>> listOf(List<String> known) {
        return new Kind<>("a list of any of " + String.join(", ", known), text -> {
            var words = words(text);
            require(known.containsAll(words), text);
            return words;
        });
    }

    static Kind<Boolean> flag() {
        return new Kind<>(
                "true or false",
                text -> require(text.equals("true") || text.equals("false"), text)
                        .equals("true"));
    }

    /** Names of queues. */
    static Kind<Set<String>> names() {
        return new Kind<>("a list of names such as default, of letters, digits, dots, hyphens or underscores", text -> {
            var words = words(text);
            require(words.stream().allMatch(word -> word.matches("[A-Za-z0-9._-]{1,36}")), text);
            return words;
        });
    }

    static Kind<Set<String>> hostNames() {
        return new Kind<>("a list of host names such as hotstate.example.org", text -> {
            var words = words(text);
            require(words.stream().allMatch(word -> word.matches("[A-Za-z0-9.:\\[\\]_-]{1,253}")), text);
            return words;
        });
    }

    /** Whether each is a range is known to whoever uses it; here it is only not something else altogether. */
    static Kind<Set<String>> addressRanges() {
        return new Kind<>("a list of ranges such as 169.254.10.0/24 or fe80::/10", text -> {
            var words = words(text);
            require(words.stream().allMatch(word -> word.matches("[0-9A-Fa-f.:]{2,45}(/\\d{1,3})?")), text);
            return words;
        });
    }

    private static Set<String> words(String text) {
        var words = new LinkedHashSet<String>();
        Arrays.stream(text.split(",", -1)).map(String::strip).forEach(words::add);
        require(text.isBlank() || !words.contains(""), text);
        words.remove("");
        return words;
    }

    private static long bytes(String text) {
        var matcher = AMOUNT.matcher(text);
        require(matcher.matches(), text);
        var unit = BYTES.get(matcher.group(2).toLowerCase(Locale.ROOT));
        if (unit == null) {
            throw new IllegalArgumentException(text);
        }
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), unit.longValue());
    }

    private static String require(boolean fits, String text) {
        if (!fits) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }
}
