package dev.hotstate.monitors.history;

/**
 * A result as it is counted.
 *
 * @param at in milliseconds, as {@code standsMs} and {@code latencyMs} are
 */
record Sample(int series, long at, long standsMs, boolean ok, boolean down, boolean maintenance, long latencyMs) {}
