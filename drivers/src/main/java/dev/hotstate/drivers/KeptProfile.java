package dev.hotstate.drivers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What Redis keeps of a profile, in one line of the hash {@code profile}: the rating (or -), then tags joined by commas. */
final class KeptProfile {
    private KeptProfile() {}

    /** Of a line, or of nothing where there is no profile. */
    static @Nullable Double rating(String line) {
        int space = line.indexOf(' ');
        String rating = space < 0 ? line : line.substring(0, space);
        return rating.isEmpty() || rating.equals(DriverLine.NONE) ? null : (Double) Double.parseDouble(rating);
    }

    static List<String> tags(String line) {
        int space = line.indexOf(' ');
        return space < 0 ? List.of() : List.of(line.substring(space + 1).split(",", -1));
    }
}
