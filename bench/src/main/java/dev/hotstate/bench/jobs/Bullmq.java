package dev.hotstate.bench.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** BullMQ in a Node process of its own, installed by npm into a folder that goes with it. */
public final class Bullmq implements AutoCloseable {
    private static final List<String> FILES = List.of("package.json", "bullmq.mjs");
    private static final Duration LONGEST_INSTALLATION = Duration.ofMinutes(3);
    private static final JsonMapper JSON = new JsonMapper();

    private final Path folder;
    private final Process process;
    private final BufferedWriter asked;
    private final BufferedReader answers;

    private Bullmq(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
        this.asked = process.outputWriter();
        this.answers = process.inputReader();
    }

    /** @throws UncheckedIOException where there is no Node, no npm, or no package to be had */
    public static Bullmq start(int redisPort) {
        try {
            Path folder = Files.createTempDirectory("hotstate-bench-bullmq");
            try {
                for (String file : FILES) {
                    try (InputStream resource = Bullmq.class.getResourceAsStream(file)) {
                        Files.copy(Objects.requireNonNull(resource, file), folder.resolve(file));
                    }
                }
                install(folder);
                return new Bullmq(folder, node(folder, redisPort));
            } catch (IOException | RuntimeException failed) {
                delete(folder);
                throw failed;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("BullMQ needs node and npm: " + failed.getMessage(), failed);
        }
    }

    /** Adds flows of one parent and some children, then works them off; answers how long each of the two took. */
    Times flows(int count, int children, int concurrency) {
        JsonNode answer =
                ask(Map.of("what", "flows", "count", count, "children", children, "concurrency", concurrency));
        return new Times(millis(answer, "added"), millis(answer, "worked"));
    }

    /** Works off a chain; answers how long that took. */
    Duration chain(int length, int concurrency) {
        return millis(ask(Map.of("what", "chain", "length", length, "concurrency", concurrency)), "worked");
    }

    record Times(Duration added, Duration worked) {}

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor();
            delete(folder);
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private JsonNode ask(Map<String, Object> question) {
        try {
            asked.write(JSON.writeValueAsString(question));
            asked.newLine();
            asked.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException("BullMQ ended instead of an answer to " + question);
            }
            return JSON.readTree(answer);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Duration millis(JsonNode answer, String field) {
        return Duration.ofNanos((long) (answer.required(field).doubleValue() * 1e6));
    }

    /** Without scripts of packages: what BullMQ needs is there as it comes. */
    private static void install(Path folder) throws IOException {
        Process npm = new ProcessBuilder(
                        "npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("npm.log").toFile())
                .start();
        try {
            if (!npm.waitFor(LONGEST_INSTALLATION.toSeconds(), TimeUnit.SECONDS) || npm.exitValue() != 0) {
                npm.destroyForcibly();
                throw new IOException("npm install failed: " + Files.readString(folder.resolve("npm.log")));
            }
        } catch (InterruptedException hurried) {
            npm.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", hurried);
        }
    }

    private static Process node(Path folder, int redisPort) throws IOException {
        return new ProcessBuilder("node", "bullmq.mjs", Integer.toString(redisPort))
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
