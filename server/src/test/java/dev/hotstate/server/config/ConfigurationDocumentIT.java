package dev.hotstate.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationDocumentIT {
    private static final Path COMMITTED = Path.of("..", "docs", "configuration.md");

    /** With -Ddocs.write=true the document is printed anew instead. */
    @Test
    void theCommittedDocumentIsTheOneTheDeclaredSettingsPrint() throws IOException {
        if (Boolean.getBoolean("docs.write")) {
            Files.createDirectories(COMMITTED.getParent());
            Files.writeString(COMMITTED, ConfigurationDocument.markdown());
        }

        assertThat(Files.readString(COMMITTED))
                .as("print it anew: mvn verify -pl server -am -Dit.test=ConfigurationDocumentIT -Ddocs.write=true")
                .isEqualTo(ConfigurationDocument.markdown());
    }
}
