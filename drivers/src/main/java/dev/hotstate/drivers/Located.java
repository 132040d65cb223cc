package dev.hotstate.drivers;

/** What became of a fix. One that is not newer than the last is not accepted, and changes nothing. */
public record Located(Status status, String region, boolean accepted) {}
