package dev.hotstate.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.cli.ServerOptions.Reply;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which file a server is asked to apply, whether only to look, and how its answer is told. */
final class ApplyOptions {
    private static final int REFUSED = 1;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Parameters(paramLabel = "FILE", description = "A list: YAML, or JSON in a file named .json.")
    private @Nullable Path file;

    @Option(names = "--dry-run", description = "Only show what would change.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print the server's answer.")
    private boolean json;

    ServerOptions server() {
        return server;
    }

    boolean isDryRun() {
        return dryRun;
    }

    ListFile list() {
        return ListFile.read(Objects.requireNonNull(file));
    }

    /**
     * @param end how the last line ends, of the answer to what was not refused
     * @return the exit code
     */
    int tell(Reply answer, Function<JsonNode, String> end) {
        if (!answer.isOk()) {
            ListFile.tellRefusal(
                    answer.json(), Objects.requireNonNull(spec).commandLine().getErr());
            return REFUSED;
        }
        if (json) {
            Output.of(spec).println(answer.json().toPrettyString());
        } else {
            ListFile.show(answer.json(), end.apply(answer.json()), Output.of(spec));
        }
        return 0;
    }
}
