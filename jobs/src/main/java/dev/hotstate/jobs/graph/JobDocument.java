package dev.hotstate.jobs.graph;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * A job as it is written. Required are {@code name} and {@code tasks}, of a task its {@code id}; what is not said has its
 * default, and a task without {@code queue} or {@code priority} has its job's.
 */
public final class JobDocument {
    private static final int DEEPEST = 64;

    /** A job, its tasks, and each of them. */
    private static final int AROUND_AN_INPUT = 3;

    private static final StreamReadConstraints BOUNDS = StreamReadConstraints.builder()
            .maxNestingDepth(DEEPEST)
            .maxNumberLength(100)
            .maxNameLength(1_000)
            .maxStringLength(JobLimits.DOCUMENT_BYTES)
            .build();
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(BOUNDS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    /** For what was checked before it was written. */
    private static final JsonFactory STORED =
            JsonFactory.builder().streamReadConstraints(BOUNDS).build();

    private static final JsonFactory INPUT = JsonFactory.builder()
            .streamReadConstraints(
                    BOUNDS.rebuild().maxNestingDepth(DEEPEST - AROUND_AN_INPUT).build())
            .build();

    private static final JsonFactory YAML = YAMLFactory.builder()
            .streamReadConstraints(BOUNDS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .loaderOptions(yamlBounds())
            .build();

    private static final JsonMapper TREES = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private JobDocument() {}

    /**
     * The job, checked, its graph included.
     *
     * @throws InvalidDocumentException with everything that is wrong, each under its field: {@code tasks[3].needs[1]}
     */
    public static Graph json(byte[] document) {
        return read(document, JSON, "JSON");
    }

    /** As {@link #json}, from YAML without aliases. */
    public static Graph yaml(byte[] document) {
        return read(document, YAML, "YAML");
    }

    /**
     * Any document under the same bounds as a job, with numbers as they are written.
     *
     * @throws InvalidDocumentException where it is none
     */
    public static JsonNode tree(byte[] document, boolean yaml) {
        requireSize(document);
        try (JsonParser in = new PlainParser((yaml ? YAML : JSON).createParser(document))) {
            JsonNode tree = TREES.readTree(in);
            if (tree == null || in.nextToken() != null) {
                throw new InvalidDocumentException(List.of(new Flaw("body", "must be one document")));
            }
            return tree;
        } catch (IOException malformed) {
            throw unreadable(yaml ? "YAML" : "JSON", malformed);
        }
    }

    /** What {@link #json} reads back as the same job. */
    public static String write(JobSpec job) {
        StringWriter text = new StringWriter(64 * (job.tasks().size() + 1));
        try (var out = JSON.createGenerator(text)) {
            JobWriter.write(job, out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    /**
     * What was written by {@link #write}, here or by a newer version beside which this one runs: unknown fields are passed
     * over, and nothing is checked again but the graph.
     *
     * @throws InvalidDocumentException where it is no such job
     */
    public static Graph stored(String document) {
        Flaws flaws = new Flaws();
        try (JsonParser in = STORED.createParser(document)) {
            in.nextToken();
            JobSpec job = new JobReader(in, flaws, false).read();
            flaws.refuse();
            Graph graph = Graph.compiled(job, flaws);
            flaws.refuse();
            return graph;
        } catch (IOException malformed) {
            throw unreadable("JSON", malformed);
        }
    }

    /** Why {@link #stored} could not read a job with this input, whoever made it; empty where it can. */
    static Optional<String> flawOf(String input) {
        try (JsonParser in = INPUT.createParser(input)) {
            if (in.nextToken() == null) {
                return Optional.of("there is nothing");
            }
            in.skipChildren();
            return in.nextToken() == null ? Optional.empty() : Optional.of("it goes on after the first value");
        } catch (IOException malformed) {
            return Optional.of(reason(malformed));
        }
    }

    private static void requireSize(byte[] document) {
        if (document.length > JobLimits.DOCUMENT_BYTES) {
            throw new InvalidDocumentException(List.of(new Flaw(
                    "body",
                    "must be at most " + JobLimits.DOCUMENT_BYTES / 1024 / 1024 + " MB, not " + document.length
                            + " bytes")));
        }
    }

    private static Graph read(byte[] document, JsonFactory format, String name) {
        requireSize(document);
        Flaws flaws = new Flaws();
        try (JsonParser in = new PlainParser(format.createParser(document))) {
            in.nextToken();
            JobSpec job = new JobReader(in, flaws, true).read();
            if (in.nextToken() != null) {
                flaws.add(new Flaw("body", "must be one job, and goes on after it"));
            }
            JobRules.check(job, flaws);
            Graph graph = Graph.compiled(job, flaws);
            flaws.refuse();
            return graph;
        } catch (IOException malformed) {
            throw unreadable(name, malformed);
        }
    }

    private static InvalidDocumentException unreadable(String format, IOException malformed) {
        return new InvalidDocumentException(
                List.of(new Flaw("body", "cannot be read as " + format + ": " + reason(malformed))));
    }

    private static String reason(IOException malformed) {
        return malformed instanceof JsonProcessingException json
                ? json.getOriginalMessage() + where(json)
                : String.valueOf(malformed.getMessage());
    }

    private static String where(JsonProcessingException malformed) {
        var place = malformed.getLocation();
        return place == null ? "" : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
    }

    private static LoaderOptions yamlBounds() {
        var options = new LoaderOptions();
        options.setNestingDepthLimit(DEEPEST);
        options.setCodePointLimit(JobLimits.DOCUMENT_BYTES);
        return options;
    }
}
