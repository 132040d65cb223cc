package dev.hotstate.drivers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of a driver beside where it is. */
public record Profile(
        @Nullable String name,
        @Nullable String vehicle,
        @Nullable Double rating,
        List<String> tags) {}
