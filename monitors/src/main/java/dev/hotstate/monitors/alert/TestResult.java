package dev.hotstate.monitors.alert;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What came of a test message.
 *
 * @param error why it did not arrive; where it did, what was not quite right, if anything
 */
public record TestResult(boolean delivered, @Nullable String error, Duration took, String idempotencyKey) {}
