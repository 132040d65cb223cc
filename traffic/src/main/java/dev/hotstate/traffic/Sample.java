package dev.hotstate.traffic;

/** One request. */
record Sample(long atMs, long micros, int status) {}
