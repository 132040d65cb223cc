package dev.hotstate.server.http;

/**
 * What is wrong with one field of a request.
 *
 * @param field its path: {@code tasks[2].id}; empty for the body as a whole
 */
public record FieldError(String field, String message) {}
