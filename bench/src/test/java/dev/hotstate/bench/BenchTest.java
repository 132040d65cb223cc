package dev.hotstate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class BenchTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void anUnknownNameIsAnsweredWithTheNearest() {
        assertThat(bench("agneda")).isEqualTo(2);
        assertThat(err.toString().strip()).isEqualTo("there is no benchmark agneda; did you mean agenda?");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void oneUnknownNameAmongOthersRunsNothing() {
        assertThat(bench("script", "scrypt")).isEqualTo(2);
        assertThat(err.toString().strip()).isEqualTo("there is no benchmark scrypt; did you mean script?");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anUnknownOptionIsOneSentence() {
        assertThat(bench("--fast")).isEqualTo(2);
        assertThat(err.toString().strip().lines()).singleElement().asString().contains("--fast");
    }

    @Test
    void theListNamesEveryBenchmarkAndItsQuestion() {
        assertThat(bench("--list")).isZero();
        assertThat(out.toString().lines())
                .hasSameSizeAs(Benchmarks.ALL)
                .allSatisfy(line -> assertThat(Benchmarks.ALL)
                        .anyMatch(benchmark ->
                                line.startsWith(benchmark.name() + " ") && line.endsWith(benchmark.about())));
    }

    @Test
    void helpSaysHowToChoose() {
        assertThat(bench("--help")).isZero();
        assertThat(out.toString()).contains("NAME", "--json", "--list", "--quick");
    }

    private int bench(String... args) {
        return Bench.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
