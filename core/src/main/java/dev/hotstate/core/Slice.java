package dev.hotstate.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a list; {@code next} is the cursor of what follows, null at the end. */
public record Slice<T>(List<T> items, @Nullable String next) {}
