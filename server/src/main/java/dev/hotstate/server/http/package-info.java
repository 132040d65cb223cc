/**
 * The HTTP frame, which knows no feature. A feature brings {@link dev.hotstate.server.http.Routes}; its handlers take a
 * {@link dev.hotstate.server.http.Request}, throw a {@link dev.hotstate.server.http.Problem} when they refuse, and give
 * back an {@link dev.hotstate.server.http.Answer}. Everything else (who may call, errors, headers, limits, metrics) is
 * decided here once, from the one {@link dev.hotstate.server.http.RouteTable}.
 */
@NullMarked
package dev.hotstate.server.http;

import org.jspecify.annotations.NullMarked;
