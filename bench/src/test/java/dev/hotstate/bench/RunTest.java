package dev.hotstate.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunTest {
    private static final Metric SPEED = new Metric("speed", "m/s");

    private final StringWriter out = new StringWriter();
    private final Run run = new Run(ScriptBenchmark.onOneRedis(), Pace.QUICK, 1, new PrintWriter(out, true));

    @Test
    void aSubjectIsSetInRatioToItsReference() {
        run.compare(List.of(
                new Subject("us", length -> Map.of(SPEED, 3.0)).against("peer", SPEED),
                new Subject("peer", length -> Map.of(SPEED, 4.0))));
        assertThat(run.figures())
                .containsExactly(
                        new Figure("script", "us", "speed", 3.0, "m/s", "peer", 0.75),
                        new Figure("script", "peer", "speed", 4.0, "m/s", null, null));
    }

    @Test
    void aReferenceThatWasNotMeasuredIsNamed() {
        List<Subject> subjects = List.of(new Subject("us", length -> Map.of(SPEED, 3.0)).against("peer", SPEED));
        assertThatThrownBy(() -> run.compare(subjects)).hasMessage("us is set against peer, which has no speed");
    }

    @Test
    void aPeerThatDidNothingHasNoRatio() {
        List<Subject> subjects = List.of(
                new Subject("us", length -> Map.of(SPEED, 3.0)).against("peer", SPEED),
                new Subject("peer", length -> Map.of(SPEED, 0.0)));
        assertThatThrownBy(() -> run.compare(subjects)).hasMessageContaining("speed of us");
    }

    @Test
    void whatWasOpenedLastIsClosedFirstWhateverHappensToTheOthers() {
        List<String> closed = new ArrayList<>();
        run.closedLater(() -> closed.add("server"));
        AutoCloseable broken = () -> {
            throw new IllegalStateException("stuck");
        };
        run.closedLater(broken);
        run.closedLater(() -> closed.add("connection"));
        run.close();
        assertThat(closed).containsExactly("connection", "server");
        assertThat(out.toString()).contains("stuck");
    }

    @Test
    void theTableHasOneLineAFigure() {
        List<Figure> figures = List.of(
                new Figure("script", "us", "speed", 1234.56, "m/s", "peer", 0.987),
                new Figure("script", "peer", "speed", 7, "m/s", null, null));
        assertThat(Table.of(figures).lines())
                .containsExactly(
                        "  benchmark  subject  metric    value  unit  ratio",
                        "  script     us       speed   1,234.6  m/s   0.99 of peer",
                        "  script     peer     speed       7.0  m/s");
    }
}
