package dev.hotstate.jobs.work;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShellOutputTest {
    private final List<String> logged = new ArrayList<>();
    private final ShellOutput output = new ShellOutput(logged::add);

    @Test
    void linesAreLoggedAlsoTheLastWithoutAnEnd() {
        print("one\r\n\n  two \nthree");

        assertThat(logged).containsExactly("one", "  two", "three");
        assertThat(output.lastLine()).isEqualTo("three");
        assertThat(output.tail()).isEqualTo("one\r\n\n  two \nthree");
    }

    @Test
    void aLineWithoutEndIsCutInTheLogAndBoundedInMemory() {
        print("x".repeat(3 * ShellOutput.KEPT) + "the end");

        assertThat(logged).singleElement().asString().hasSize(4_096);
        assertThat(output.tail()).hasSize(ShellOutput.KEPT).endsWith("xxthe end");
    }

    @Test
    void theTailBeginsWithAWholeCharacter() {
        print("€".repeat(ShellOutput.KEPT));

        assertThat(output.tail()).matches("€+").hasSize(ShellOutput.KEPT / 3);
    }

    @Test
    void whatIsNotTextIsShownAsFarAsItIs() {
        output.read(new ByteArrayInputStream(new byte[] {'a', (byte) 0xFF, 'b', '\n'}));

        assertThat(logged).containsExactly("a\uFFFDb");
    }

    private void print(String text) {
        output.read(new ByteArrayInputStream(text.getBytes(UTF_8)));
    }
}
