package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptSourceTest {

    @Test
    void theHeaderIsTheContract() {
        ScriptSource source = ScriptSource.load(Sample.class, "sample/echo");

        assertThat(source.keys()).containsExactly("any…");
        assertThat(source.args()).containsExactly("word", "text");
        assertThat(source.replies()).containsExactlyInAnyOrder("ECHO", "REBUILDING");
        assertThat(source.readOnly()).isTrue();
        assertThat(ScriptSource.load(Sample.class, "sample/add").readOnly()).isFalse();
    }

    @Test
    void includesStandInTheirPlacesBesideTheScriptOrInCore() {
        String body = ScriptSource.load(Sample.class, "sample/echo").body();

        assertThat(body).contains("local function shout(text)").contains("local function now_us(given)");
        assertThat(body).doesNotContain("--@include");
    }

    @Test
    void theCommandsOfIncludesBelongToTheScript() {
        assertThat(ScriptSource.load(Sample.class, "sample/echo").commands()).containsExactly("time");
        assertThat(ScriptSource.load(Sample.class, "sample/add").commands()).containsExactly("incrby");
    }

    @ParameterizedTest(name = "{0} is refused: {1}")
    @CsvSource({
        "no_shebang, must begin with #!lua",
        "no_reply,   must state every REPLY and its COST",
        "no_cost,    must state every REPLY and its COST",
        "no_keys,    must state KEYS once",
        "two_args,   must state ARGV once",
        "no_include, no script include/nowhere.lua",
        "no_file,    no script sample/broken/no_file.lua",
    })
    void aScriptThatBreaksItsContractIsRefused(String script, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScriptSource.load(Sample.class, "sample/broken/" + script))
                .withMessageContaining(reason);
    }

    @Test
    void aScriptWhoseHeaderNamesOtherKeysThanItsCallerIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Script.of(Sample.class, "sample/add", List.of("second", "first"), reply -> reply))
                .withMessageContaining("[first, second]")
                .withMessageContaining("[second, first]");
    }

    @Test
    void anyNumberOfKeysMayStandForTheLastOne() {
        ScriptSource source = ScriptSource.load(Sample.class, "sample/echo");

        source.requireKeys(0);
        source.requireKeys(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScriptSource.load(Sample.class, "sample/add").requireKeys(3));
    }
}
