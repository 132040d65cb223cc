package dev.hotstate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hotstate.bench.audit.RedisCli;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every benchmark, quickly; in two classes, which two JVMs share. */
abstract class BenchmarksContract {
    /** What each benchmark measures when it is quick. One that is missing here is not tested. */
    static final Map<String, List<String>> SUBJECTS = Map.of(
            "script",
            List.of(
                    "lettuce async, 1 thread",
                    "script, 1 thread",
                    "lettuce sync, 1 thread",
                    "lettuce async, 64 threads",
                    "script, 64 threads",
                    "lettuce sync, 64 threads",
                    "lettuce async, 256 threads",
                    "script, 256 threads",
                    "lettuce sync, 256 threads"),
            "script-cluster",
            List.of("lettuce async, 64 threads", "script, 64 threads", "lettuce sync, 64 threads"),
            "agenda",
            List.of("agenda, 10k", "zpopmin+zadd, 10k", "agenda, 20k", "zpopmin+zadd, 20k"),
            "outage",
            List.of("lettuce defaults", "hotstate"),
            "limits",
            List.of(
                    "bare script, many keys",
                    "hotstate, many keys",
                    "bucket4j, many keys",
                    "redisson, many keys",
                    "bare script, one key",
                    "hotstate, one key",
                    "bucket4j, one key",
                    "redisson, one key",
                    "hotstate, three limits in one call",
                    "hotstate, three subjects in one call",
                    "hotstate, leased quota on one key"),
            "traffic",
            List.of(
                    "hotstate, 8 threads",
                    "document's pipeline, 8 threads",
                    "hotstate, 1000 requests/s",
                    "hotstate, 10000 requests/s",
                    "document's pipeline, 1000 requests/s"),
            "drivers",
            List.of(
                    "hotstate, 1k uniform",
                    "document's layout, 1k uniform",
                    "hotstate, one driver with the tag, 1k uniform",
                    "geosearch + filter, 1k uniform",
                    "hotstate, 3k uniform",
                    "document's layout, 3k uniform",
                    "hotstate, one driver with the tag, 3k uniform",
                    "geosearch + filter, 3k uniform",
                    "hotstate, 1k skewed",
                    "document's layout, 1k skewed",
                    "hotstate, one driver with the tag, 1k skewed",
                    "geosearch + filter, 1k skewed",
                    "hotstate, 3k skewed",
                    "document's layout, 3k skewed",
                    "hotstate, one driver with the tag, 3k skewed",
                    "geosearch + filter, 3k skewed",
                    "raw pipelined GEOADD, HSET, ZADD",
                    "hotstate, batches"),
            "audit",
            List.of(
                    "redis-cli --bigkeys",
                    "hotstate, names and samples",
                    "redis-cli --memkeys",
                    "hotstate, all keys",
                    "GET by itself",
                    "GET beside names and samples",
                    "GET beside all keys"));

    private static final List<String> FIELDS =
            List.of("benchmark", "subject", "metric", "value", "unit", "ratio_to", "ratio");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> benchmarks;

    @TempDir
    Path folder;

    BenchmarksContract(List<String> benchmarks) {
        this.benchmarks = benchmarks;
    }

    @Test
    void eachRunsAndWritesItsFigures() throws IOException {
        Path file = folder.resolve("figures.json");
        List<String> args = new ArrayList<>(List.of("--quick", "--json", file.toString()));
        args.addAll(benchmarks);
        int exit = Bench.run(new PrintWriter(out, true), new PrintWriter(err, true), args.toArray(String[]::new));
        assertThat(exit).as(err.toString()).isZero();

        List<JsonNode> figures = new ArrayList<>();
        new ObjectMapper().readTree(file.toFile()).forEach(figures::add);
        benchmarks.forEach(benchmark -> assertThat(figures)
                .filteredOn(figure -> figure.get("benchmark").asText().equals(benchmark))
                .extracting(figure -> figure.get("subject").asText())
                .containsOnly(present(SUBJECTS.get(benchmark))));
        assertThat(figures).allSatisfy(figure -> {
            assertThat(FIELDS).containsSubsequence(names(figure));
            assertThat(names(figure)).contains("metric", "value", "unit");
            assertThat(figure.get("value").asDouble()).isPositive().isFinite();
        });
        assertThat(figures)
                .filteredOn(figure -> figure.has("ratio_to"))
                .isNotEmpty()
                .allSatisfy(figure -> assertThat(figure.get("ratio").asDouble())
                        .isEqualTo(figure.get("value").asDouble()
                                / reference(figures, figure).get("value").asDouble()));
        assertThat(figures)
                .filteredOn(figure -> figure.get("metric").asText().equals("round_trips"))
                .hasSize(benchmarks.contains("agenda") ? SUBJECTS.get("agenda").size() : 0)
                .allSatisfy(figure -> assertThat(figure.get("value").asDouble()).isEqualTo(2));
        assertThat(out.toString()).contains("cores", "JDK", "on Redis 7", "AOF on, everysec");
        if (benchmarks.contains("script-cluster")) {
            assertThat(out.toString()).contains("on Redis Cluster 7");
        }
    }

    /** A peer that a machine lacks is left out. */
    private static String[] present(List<String> subjects) {
        boolean cli = RedisCli.isThere();
        return subjects.stream()
                .filter(subject -> cli || !subject.startsWith("redis-cli"))
                .toArray(String[]::new);
    }

    private static JsonNode reference(List<JsonNode> figures, JsonNode figure) {
        return figures.stream()
                .filter(other -> other.get("benchmark").equals(figure.get("benchmark"))
                        && other.get("metric").equals(figure.get("metric"))
                        && other.get("subject").equals(figure.get("ratio_to")))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(JsonNode figure) {
        List<String> names = new ArrayList<>();
        figure.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
