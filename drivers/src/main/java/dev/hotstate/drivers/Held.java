package dev.hotstate.drivers;

import java.time.Instant;

/** A reservation that holds a driver now. */
record Held(String reservation, String fence, Instant until) {}
