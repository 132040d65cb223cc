package dev.hotstate.drivers;

/** A driver's status that changed. */
public record DriverChange(String id, Status status, String region) {}
