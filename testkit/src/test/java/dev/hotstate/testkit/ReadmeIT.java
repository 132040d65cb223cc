package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeIT {

    @Test
    void theExampleInTheReadmeIsTheOneThatIsRun() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        String example = Files.readString(Path.of("src/test/java/dev/hotstate/example/ExampleIT.java"));

        assertThat(readme).contains("```java\n" + withoutPackage(example) + "```\n");
    }

    private static String withoutPackage(String source) {
        return source.substring(source.indexOf("import "));
    }
}
