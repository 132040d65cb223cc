package dev.hotstate.server.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.KeyspaceDocument;
import dev.hotstate.server.Features;
import dev.hotstate.server.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KeyspaceDocumentIT {
    private static final Path COMMITTED = Path.of("..", "docs", "keyspace.md");

    /** With -Ddocs.write=true the document is printed anew instead. */
    @Test
    void theCommittedDocumentIsTheOneTheDeclaredFamiliesPrint() throws IOException {
        var printed = KeyspaceDocument.markdown(Features.keyspace(Settings.defaults()));
        if (Boolean.getBoolean("docs.write")) {
            Files.createDirectories(COMMITTED.getParent());
            Files.writeString(COMMITTED, printed);
        }

        assertThat(Files.readString(COMMITTED))
                .as("print it anew: mvn verify -pl server -am -Dit.test=KeyspaceDocumentIT -Ddocs.write=true")
                .isEqualTo(printed);
    }
}
