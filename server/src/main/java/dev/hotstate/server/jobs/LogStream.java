package dev.hotstate.server.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.LogPart;
import dev.hotstate.server.http.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * One client that follows a log: {@code line} events with the line's number as their id, and an {@code end} when the task
 * has ended. It is asked for more twice a second; silence is broken every 15 seconds.
 */
final class LogStream {
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int SILENT_ROUNDS = 30;
    private static final int ROUNDS_UNTIL_RECHECK = 10;

    private final LongFunction<LogPart> read;
    private final BooleanSupplier stillAllowed;
    private final BooleanSupplier stopping;

    LogStream(LongFunction<LogPart> read, BooleanSupplier stillAllowed, BooleanSupplier stopping) {
        this.read = read;
        this.stillAllowed = stillAllowed;
        this.stopping = stopping;
    }

    void writeTo(OutputStream out, LogPart first) throws IOException, InterruptedException {
        write(out, "retry: 2000\n\n");
        var part = first;
        for (int round = 1; !stopping.getAsBoolean(); round++) {
            tell(out, part);
            if (part.ended() && part.lines().isEmpty()) {
                write(out, "event: end\ndata: {}\n\n");
                return;
            }
            if (round % SILENT_ROUNDS == 0) {
                write(out, ": still here\n\n");
            }
            if (round % ROUNDS_UNTIL_RECHECK == 0 && !stillAllowed.getAsBoolean()) {
                return;
            }
            if (part.lines().isEmpty()) {
                Thread.sleep(PAUSE);
            }
            part = next(part);
        }
    }

    private void tell(OutputStream out, LogPart part) throws IOException {
        if (part.lines().isEmpty()) {
            return;
        }
        var text = new StringBuilder();
        for (var line : LogCalls.Line.of(part)) {
            text.append("id: ").append(line.number()).append("\nevent: line\ndata: ");
            text.append(Json.text(line)).append("\n\n");
        }
        write(out, text.toString());
    }

    /** Where Redis is away the client stays, and goes on when it is back. */
    private LogPart next(LogPart before) {
        try {
            return read.apply(before.next());
        } catch (HotstateException away) {
            return new LogPart(before.next(), List.of(), before.next(), false);
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
