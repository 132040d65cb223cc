package dev.hotstate.bench.drill;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code hotstate up} in a JVM of its own, from our class path. */
public final class ServerProcess implements Killable {
    private static final String READY = "hotstate is up at ";

    private final JvmProcess jvm;

    private ServerProcess(JvmProcess jvm) {
        this.jvm = jvm;
    }

    /**
     * Returns once it answers.
     *
     * @param environment settings by their variables, such as {@code HOTSTATE_PORT}
     * @param folder where it works, with its log
     */
    public static ServerProcess start(List<String> jvmOptions, Map<String, String> environment, Path folder) {
        return new ServerProcess(JvmProcess.start(
                new JvmProcess.Program(
                        jvmOptions,
                        JvmProcess.classPathWithoutUs(),
                        List.of("dev.hotstate.server.cli.Main", "up", "--port", "0"),
                        READY),
                environment,
                folder,
                log(folder)));
    }

    /** What it says while it runs, after all that earlier ones said there. */
    public static Path log(Path folder) {
        return folder.resolve("server.log");
    }

    public String url() {
        return jvm.said();
    }

    @Override
    public long pid() {
        return jvm.pid();
    }

    @Override
    public void kill() {
        jvm.kill();
    }

    /** SIGTERM, and SIGKILL if it is still there much later. */
    @Override
    public void close() {
        jvm.close();
    }
}
