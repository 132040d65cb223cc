/**
 * How a target is asked, and how its answer is judged. Knows nothing of monitors: a specification goes in, an outcome comes
 * out.
 *
 * <p>{@link dev.hotstate.monitors.check.Checker} is the door. It picks a {@code Probe} by the type; all of them reach their
 * target through {@code Dialer}, which judges the address that it connects to, and under one {@code Deadline}. What they saw
 * is {@code Evidence}, of which {@code Judgement} asks the {@link dev.hotstate.monitors.check.Assertion assertions}. Which
 * failures are worth a second look, and why, is the table {@code Failure}.
 */
@NullMarked
package dev.hotstate.monitors.check;

import org.jspecify.annotations.NullMarked;
