package dev.hotstate.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** One registry for all tests of a run, so that the last one can tell which replies of which scripts were reached. */
public final class TestMeters {
    public static final MeterRegistry REGISTRY = new SimpleMeterRegistry();

    private TestMeters() {}
}
