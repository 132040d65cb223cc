package dev.hotstate.bench.monitors;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/** What a server's JVM uses. */
record WatchedJvm(long pid, Api api) {
    private static final String HEAP = "jvm_memory_used_bytes{area=\"heap\"";

    Duration cpu() {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow(() -> new IllegalStateException("there is no process " + pid));
    }

    /** What is left after a collection, by the server's own metrics: it admits nobody to its JMX. */
    long liveHeap() {
        collect();
        return (long) api.get("/metrics")
                .lines()
                .filter(line -> line.startsWith(HEAP))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private void collect() {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            Process command = new ProcessBuilder(jcmd, Long.toString(pid), "GC.run")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (command.waitFor() != 0) {
                throw new IllegalStateException("jcmd " + pid + " GC.run failed");
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", stopped);
        }
    }
}
