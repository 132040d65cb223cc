package dev.hotstate.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One registry for all tests of a JVM. Several JVMs share the tests of a run: each writes down the replies of scripts
 * that it reaches, in a file of its own and a folder of the run's, so that {@link ScriptContract} can tell of all.
 */
public final class TestMeters {
    public static final MeterRegistry REGISTRY = new SimpleMeterRegistry();

    private static final Path FOLDER = Path.of(System.getProperty("replies.folder", "target/replies"));
    private static final Path FILE =
            FOLDER.resolve(Long.toString(ProcessHandle.current().pid()));

    static {
        REGISTRY.config().onMeterAdded(TestMeters::writeDown);
    }

    private TestMeters() {}

    /** Every {@code script REPLY} that was reached by the tests of this run so far. */
    static Set<String> repliesReached() throws IOException {
        Set<String> replies = new TreeSet<>();
        if (Files.isDirectory(FOLDER)) {
            try (Stream<Path> files = Files.list(FOLDER)) {
                for (Path file : files.toList()) {
                    replies.addAll(Files.readAllLines(file));
                }
            }
        }
        return replies;
    }

    /** A counter is made when its reply first comes. */
    private static synchronized void writeDown(Meter meter) {
        Meter.Id id = meter.getId();
        if (!id.getName().equals("hotstate.script.replies")) {
            return;
        }
        try {
            Files.createDirectories(FOLDER);
            Files.write(FILE, List.of(id.getTag("script") + " " + id.getTag("reply")), UTF_8, CREATE, APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
