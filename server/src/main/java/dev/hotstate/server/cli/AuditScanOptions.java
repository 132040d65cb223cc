package dev.hotstate.server.cli;

import dev.hotstate.audit.AuditOptions;
import dev.hotstate.audit.AuditTarget;
import dev.hotstate.core.Durations;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** How much of a Redis is looked at. */
final class AuditScanOptions {
    @ArgGroup
    private Depth depth = new Depth();

    /** One or the other. */
    static final class Depth {
        @Option(
                names = "--sample",
                paramLabel = "N",
                description = "Keys of each family that are looked at closely (default: 400). Names are all read.")
        private @Nullable Integer sample;

        @Option(names = "--full", description = "Look closely at each key.")
        private boolean full;
    }

    @Option(
            names = "--watch",
            paramLabel = "DURATION",
            description = "Between the two looks that rates are made of, such as 10s (default: 2s).")
    private @Nullable String watch;

    @Option(
            names = "--resume",
            paramLabel = "FILE",
            description = "Where an audit that is stopped leaves off, and from where it goes on.")
    private @Nullable Path resume;

    @Option(
            names = "--replicas",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Read keys from replicas where there are some (default); --no-replicas reads masters.")
    private boolean replicas = true;

    AuditTarget target(String url) {
        var target = AuditFiles.asked(() -> AuditTarget.of(url));
        return replicas ? target : target.onMasters();
    }

    AuditOptions options() {
        return AuditFiles.asked(() -> {
            var options = AuditOptions.DEFAULT.withResume(resume);
            if (watch != null) {
                options = options.withWatch(Durations.parse(watch));
            }
            if (depth.sample != null) {
                options = options.withSample(depth.sample);
            }
            return depth.full ? options.inFull() : options;
        });
    }
}
