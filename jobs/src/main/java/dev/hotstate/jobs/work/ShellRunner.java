package dev.hotstate.jobs.work;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.jobs.Claimed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the command of a task by {@code /bin/sh -c}: its input as JSON on standard input, what it prints into the task's
 * log. Exit code 0 is success, with {@code {exit_code, output}} as the result; any other is a failure.
 *
 * <p>Whoever may submit a job may then do on this machine whatever this process may. Each command has a session of its own,
 * and nothing of it outlives the attempt: see {@link ShellCommand}.
 */
public final class ShellRunner implements Duty {
    private static final ObjectMapper JSON = new JsonMapper();

    /** What a command is told of this process's surroundings; all else, secrets among it, is not its business. */
    private static final String[] INHERITED = {"PATH", "HOME", "LANG"};

    private final String setsid;
    private final Path directory;
    private final Map<String, String> surroundings;

    private ShellRunner(String setsid, Path directory, Map<String, String> surroundings) {
        this.setsid = setsid;
        this.directory = directory;
        this.surroundings = Map.copyOf(surroundings);
    }

    /**
     * @param directory where commands begin
     * @param surroundings this process's environment
     * @throws IllegalStateException where the system lacks what is needed to end a command with all its children
     */
    public static ShellRunner open(Path directory, Map<String, String> surroundings) {
        if (!Files.isDirectory(directory)) {
            throw new IllegalStateException("shell tasks cannot begin in " + directory + ": it is no directory");
        }
        if (!Files.isExecutable(Path.of("/bin/sh"))) {
            throw new IllegalStateException("shell tasks need /bin/sh, which this system has not");
        }
        String setsid = onPath("setsid", surroundings.getOrDefault("PATH", ""))
                .orElseThrow(
                        () -> new IllegalStateException("shell tasks need the program setsid (of util-linux) on the"
                                + " PATH: without it a command could not be ended together with what it has started"));
        return new ShellRunner(setsid, directory, surroundings);
    }

    @Override
    public String perform(Claimed task, TaskContext context)
            throws IOException, InterruptedException, RunFailedException {
        ProcessBuilder start = new ProcessBuilder(setsid, "/bin/sh", "-c", command(task.run()))
                .directory(directory.toFile())
                .redirectErrorStream(true);
        start.environment().clear();
        for (String name : INHERITED) {
            String value = surroundings.get(name);
            if (value != null) {
                start.environment().put(name, value);
            }
        }
        start.environment().put("HOTSTATE_JOB", task.jobId());
        start.environment().put("HOTSTATE_TASK", task.taskId());
        start.environment().put("HOTSTATE_ATTEMPT", Integer.toString(task.attempt()));
        start.environment().put("HOTSTATE_FENCE", task.fence().toString());
        start.environment().put(ShellCommand.MARK, ShellCommand.mark(task));
        ShellOutput output = new ShellOutput(context::log);
        int code;
        try (ShellCommand command = ShellCommand.start(start, task, output)) {
            code = command.await();
        }
        if (code != 0) {
            String said = output.lastLine();
            throw new RunFailedException("exit code " + code + (said.isEmpty() ? "" : ": " + said));
        }
        return result(code, output);
    }

    private static Optional<String> onPath(String program, String path) {
        return Stream.of(path.split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    private static String command(@Nullable String run) {
        try {
            var shell = JSON.readTree(run == null ? "{}" : run).path("shell");
            if (shell.isTextual()) {
                return shell.textValue();
            }
        } catch (JsonProcessingException broken) {
            throw new NotRetryableException("the task's run is not JSON", broken);
        }
        throw new NotRetryableException("the task has no shell command");
    }

    /** As much of the output's end as fits a result: a control character takes six bytes as JSON. */
    private static String result(int code, ShellOutput output) {
        String text = output.tail();
        String result = result(code, text);
        while (result.length() > Json.MOST_BYTES / 3) {
            text = text.substring(text.length() / 2);
            result = result(code, text);
        }
        return result;
    }

    private static String result(int code, String text) {
        ObjectNode result = JSON.createObjectNode().put("exit_code", code).put("output", text);
        return result.toString();
    }
}
