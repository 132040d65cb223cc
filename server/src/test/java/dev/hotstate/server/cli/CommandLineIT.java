package dev.hotstate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineIT {
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"up", "doctor", "version"})
    void everyCommandExplainsItself(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(output.toString()).startsWith("Usage: hotstate " + command);
        assertThat(errors.toString()).isEmpty();
    }

    @Test
    void theVersionIsThatOfTheBuild() throws Exception {
        assertThat(run("version", "--json")).isZero();
        assertThat(new JsonMapper().readTree(output.toString()).get("version").asText())
                .matches("\\d+\\.\\d+\\.\\d+.*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "upp", "up --prot=1", "version extra"})
    void aMistakeInUseIsOneSentenceAndExitTwo(String line) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);
        assertThat(errors.toString().lines())
                .singleElement()
                .asString()
                .startsWith("hotstate: ")
                .endsWith("--help shows how)");
        assertThat(output.toString()).isEmpty();
    }

    @Test
    void everyBadSettingIsOneSentenceAndExitTwo() {
        assertThat(run("up", "--port", "many", "--redis", "hush")).isEqualTo(2);
        assertThat(errors.toString().lines())
                .hasSize(2)
                .contains("hotstate: --port is \"many\"; give a whole number from 0 to 65535")
                .noneMatch(line -> line.contains("hush"));
    }

    @Test
    void theDoctorTellsOfABadSettingAndAnswersNo() throws Exception {
        assertThat(run("doctor", "--json", "--port", "many")).isEqualTo(1);

        var report = new JsonMapper().readTree(output.toString());
        assertThat(report.get("ok").asBoolean()).isFalse();
        assertThat(report.get("checks").findValuesAsText("level")).containsExactly("ok", "fail");
        assertThat(report.get("checks").get(1).get("detail").asText()).contains("--port is \"many\"");
        assertThat(report.get("checks").get(1).get("remedy").asText()).isNotEmpty();
    }

    private int run(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(errors, true))
                .execute(arguments);
    }
}
