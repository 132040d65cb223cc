package dev.hotstate.traffic;

import java.time.InstantSource;

/**
 * Who counts, and how much there may be of it.
 *
 * @param instance the name of this process in the fleet; two that run at once need two names
 * @param endpoints the most endpoints of the whole application; what comes beyond counts under {@code other}
 * @param reporters the most other instances that report to this process at once; what comes beyond counts under
 *     {@code other}
 * @param clock the time that requests are counted at; instances of a fleet should agree within seconds
 */
public record TrafficOptions(String instance, int endpoints, int reporters, InstantSource clock) {
    private static final int MAX_NAME = 64;

    public TrafficOptions {
        requireInstance(instance);
        requireBetween("endpoints", endpoints, 1_000);
        requireBetween("reporters", reporters, 1_000);
    }

    /** 200 endpoints and 100 reporters. */
    public static TrafficOptions of(String instance, InstantSource clock) {
        return new TrafficOptions(instance, 200, 100, clock);
    }

    public TrafficOptions withEndpoints(int most) {
        return new TrafficOptions(instance, most, reporters, clock);
    }

    public TrafficOptions withReporters(int most) {
        return new TrafficOptions(instance, endpoints, most, clock);
    }

    /** @throws IllegalArgumentException when it is no name for an instance */
    public static String requireInstance(String name) {
        boolean fits = !name.isEmpty()
                && name.length() <= MAX_NAME
                && name.chars().allMatch(character -> character > ' ' && character <= '~');
        if (!fits) {
            String shown = name.length() > 80 ? name.substring(0, 80) + "…" : name;
            throw new IllegalArgumentException("instance must be 1 to " + MAX_NAME
                    + " printable ASCII characters without spaces, not \"" + shown + "\"");
        }
        return name;
    }

    private static void requireBetween(String field, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(field + " must be 1 to " + most + ", not " + value);
        }
    }
}
