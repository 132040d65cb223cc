package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every script of a service keeps to its header. A module's {@code ScriptContractIT} extends this and runs after all
 * others: it asks which replies they reached, so those connect with {@link TestMeters#REGISTRY}.
 */
@Tag("last")
public abstract class ScriptContract {
    private final Service service;
    private final Path folder;
    private final Set<String> unguarded;

    /**
     * @param folder where the module's Lua files stand
     * @param unguarded the scripts that write without asking for an incarnation, each for a reason of its own
     */
    protected ScriptContract(Service service, String folder, Set<String> unguarded) {
        this.service = service;
        this.folder = Path.of(folder);
        this.unguarded = unguarded;
    }

    @Test
    void everyLuaFileIsLoadedByExactlyOneScript() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(service.scripts())
                    .extracting(Script::name)
                    .containsExactlyInAnyOrderElementsOf(files.filter(ScriptContract::isScript)
                            .map(ScriptContract::name)
                            .toList());
        }
    }

    @Test
    void everyDocumentedReplyIsReachedByATestOfThisRun() throws IOException {
        Set<String> documented = new TreeSet<>();
        service.scripts()
                .forEach(script -> script.replies().forEach(reply -> documented.add(script.name() + " " + reply)));

        assertThat(TestMeters.repliesReached()).containsAll(documented);
    }

    @Test
    void aScriptThatWritesAsksTheGuardUnlessItHasAReason() {
        assertThat(service.scripts())
                .filteredOn(script -> !script.isReadOnly() && !unguarded.contains(script.name()))
                .allMatch(script -> script.replies().contains("REBUILDING"));
    }

    private static boolean isScript(Path file) {
        try {
            return file.toString().endsWith(".lua") && Files.readString(file).startsWith("#!lua");
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".lua", "");
    }
}
