package dev.hotstate.server.auth;

import dev.hotstate.server.http.Caller;
import java.time.Instant;

/** A browser's session, as it is opened: the cookie is shown this once. */
public record Session(String cookie, Caller caller, Instant expiresAt) {}
