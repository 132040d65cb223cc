package dev.hotstate.bench.audit;

import dev.hotstate.audit.AuditOptions;
import dev.hotstate.audit.AuditTarget;
import dev.hotstate.audit.Auditor;
import dev.hotstate.audit.Progress;
import dev.hotstate.bench.drill.JvmProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** Audits one after the other in a process of their own, as {@code hotstate audit} starts it. */
public final class AuditLoop {
    private static final String BEGUN = "begun";
    private static final String FULL = "full";
    private static final int NICENESS = 19;

    private AuditLoop() {}

    /** @return what was measured while the audits ran */
    public static double beside(int port, boolean full, DoubleSupplier measured) {
        try {
            Path log = Files.createTempFile("audits", ".log");
            JvmProcess.Program program = new JvmProcess.Program(
                    List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                    JvmProcess.classPath(),
                    List.of(AuditLoop.class.getName(), Integer.toString(port), full ? FULL : "names"),
                    BEGUN,
                    NICENESS);
            JvmProcess process = JvmProcess.start(program, Map.of(), Path.of("."), log);
            try {
                return measured.getAsDouble();
            } finally {
                process.close();
                Files.delete(log);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** With the port, and whether every key is looked at; until it is killed. */
    public static void main(String[] args) throws InterruptedException {
        AuditOptions names = AuditOptions.DEFAULT.withWatch(Duration.ZERO);
        AuditOptions options = args[1].equals(FULL) ? names.inFull() : names;
        Auditor auditor = new Auditor(InstantSource.system());
        System.out.println(BEGUN);
        while (true) {
            auditor.audit(AuditTarget.of("redis://127.0.0.1:" + args[0]), options, Progress.NONE);
        }
    }
}
