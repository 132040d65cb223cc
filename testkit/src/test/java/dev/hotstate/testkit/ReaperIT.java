package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReaperIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(strings = {"exits", "is killed"})
    void nothingOutlivesTheJvmWhenIt(String ends) throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartsAndNeverCloses.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = jvm.inputReader()) {
            List<ProcessHandle> processes = List.of(process(output), process(output));
            List<Path> folders = List.of(Path.of(output.readLine()), Path.of(output.readLine()));
            assertThat(folders).allMatch(Files::exists);

            if (ends.equals("exits")) {
                jvm.getOutputStream().close();
            } else {
                jvm.destroyForcibly();
            }

            Eventually.within(
                    PATIENCE, "servers are gone", () -> processes.stream().allMatch(Signals::isGone));
            Eventually.within(
                    PATIENCE, "folders are gone", () -> folders.stream().noneMatch(Files::exists));
        } finally {
            jvm.destroyForcibly();
        }
    }

    private static ProcessHandle process(BufferedReader output) throws IOException {
        return ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
    }

    /** Prints pids and folders, and ends when its input does. */
    static final class StartsAndNeverCloses {
        public static void main(String[] args) throws IOException {
            RedisServer redis = RedisServer.start();
            PostgresServer postgres = PostgresServer.start();
            List<Object> facts = new ArrayList<>();
            facts.add(redis.pid());
            facts.add(postgres.pid());
            facts.add(redis.commands().configGet("dir").get("dir"));
            facts.add(RedisBinary.path());
            facts.forEach(System.out::println);
            System.in.read();
            System.exit(0);
        }
    }
}
