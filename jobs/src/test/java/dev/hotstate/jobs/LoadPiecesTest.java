package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.jobs.graph.Run;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoadPiecesTest {
    private static final int BYTES = 1 << 20;
    private static final String LONG = "x".repeat(100_000);

    @Test
    void aPieceStaysSmallWhateverItsTasksAreToRun() {
        Flow flow = new Flow("heavy");
        for (int i = 0; i < 40; i++) {
            flow.task("command-" + i, Flow.lane("default", new Run.Shell(LONG + i), 4, null));
            flow.task("body-" + i, Flow.lane("default", http("https://x", Map.of(), LONG + i), 4, null));
            flow.task("header-" + i, Flow.lane("default", http("https://x", Map.of("X", LONG + i), ""), 4, null));
            flow.task("url-" + i, Flow.lane("default", http("https://x/" + LONG + i, Map.of(), ""), 4, null));
        }

        LoadPieces pieces = new LoadPieces(flow.head(), flow.cells(), RunJson::write);

        assertThat(IntStream.range(0, pieces.count()))
                .allMatch(piece -> pieces.arguments(piece).stream()
                                .mapToInt(String::length)
                                .sum()
                        < BYTES + BYTES / 10);
    }

    private static Run http(String url, Map<String, String> headers, String body) {
        return new Run.Http("POST", url, headers, body);
    }
}
