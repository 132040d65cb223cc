/**
 * Rate limits on Redis. Start reading at {@link dev.hotstate.limits.RateLimiter}; a {@link dev.hotstate.limits.Rule} says
 * what is allowed, a {@link dev.hotstate.limits.Call} what is asked, a {@link dev.hotstate.limits.Decision} what came out.
 */
@NullMarked
package dev.hotstate.limits;

import org.jspecify.annotations.NullMarked;
