package dev.hotstate.server.http;

import java.util.Optional;

/** Turns what a part of the system throws into what the caller is told, e.g. a lost PostgreSQL into a 503. */
@FunctionalInterface
public interface FailureMapping {
    /** The problem to answer with, or empty when this failure is not known here. */
    Optional<Problem> problem(Throwable failure);
}
