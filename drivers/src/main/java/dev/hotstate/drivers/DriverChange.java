package dev.hotstate.drivers;

/** A driver's status is another one now: it was asked for, came by a fix, by silence or by a reservation. */
public record DriverChange(String id, Status status, String region) {}
