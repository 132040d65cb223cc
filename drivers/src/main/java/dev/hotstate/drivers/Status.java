package dev.hotstate.drivers;

/** What a driver is. One that is reserved is AVAILABLE still, but nobody else finds it. */
public enum Status {
    AVAILABLE,
    BUSY,
    OFFLINE
}
