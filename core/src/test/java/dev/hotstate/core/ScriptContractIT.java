package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Every script keeps to its header. This class runs last: it asks which replies the other tests of the run reached. */
@Order(Integer.MAX_VALUE)
class ScriptContractIT {
    private static final List<Script<?>> SCRIPTS = CoreKeys.SERVICE.scripts();

    @Test
    void everyLuaFileIsLoadedByExactlyOneScript() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/dev/hotstate/core"))) {
            List<String> lua = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".lua"))
                    .map(file -> file.substring(0, file.length() - 4))
                    .toList();

            assertThat(SCRIPTS).extracting(Script::name).containsExactlyInAnyOrderElementsOf(lua);
        }
    }

    @Test
    void everyDocumentedReplyIsReachedByATestOfThisRun() {
        Set<String> documented = new TreeSet<>();
        SCRIPTS.forEach(script -> script.replies().forEach(reply -> documented.add(script.name() + " " + reply)));

        Set<String> reached = TestMeters.REGISTRY.find("hotstate.script.replies").counters().stream()
                .map(ScriptContractIT::scriptAndReply)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(reached).containsAll(documented);
    }

    @Test
    void aScriptThatWritesAsksTheGuardUnlessItIsTheGuardsOwn() {
        Set<String> free = Set.of("beat", "open", "ready", "publish");

        assertThat(SCRIPTS)
                .filteredOn(script -> !script.isReadOnly() && !free.contains(script.name()))
                .allMatch(script -> script.replies().contains("REBUILDING"));
    }

    private static String scriptAndReply(Counter counter) {
        return counter.getId().getTag("script") + " " + counter.getId().getTag("reply");
    }
}
