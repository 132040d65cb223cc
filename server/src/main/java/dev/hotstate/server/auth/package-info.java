/**
 * Tokens and sessions. The shape of a feature in this server: {@link dev.hotstate.server.auth.TokenRoutes} parses and
 * checks, the door {@link dev.hotstate.server.auth.Tokens} decides, the routes write what it said.
 */
@NullMarked
package dev.hotstate.server.auth;

import org.jspecify.annotations.NullMarked;
