package dev.hotstate.bench.monitors;

import com.sun.management.OperatingSystemMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What another JVM on this machine uses, asked through JMX. */
final class WatchedJvm implements AutoCloseable {
    private final JMXConnector connector;
    private final MemoryMXBean memory;
    private final OperatingSystemMXBean process;

    private WatchedJvm(JMXConnector connector) throws IOException {
        this.connector = connector;
        var beans = connector.getMBeanServerConnection();
        this.memory = ManagementFactory.getPlatformMXBean(beans, MemoryMXBean.class);
        this.process = ManagementFactory.getPlatformMXBean(beans, OperatingSystemMXBean.class);
    }

    static WatchedJvm of(long pid) {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                return new WatchedJvm(
                        JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
            } finally {
                machine.detach();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot watch the JVM " + pid, failed);
        } catch (AttachNotSupportedException none) {
            throw new IllegalStateException("cannot watch the JVM " + pid, none);
        }
    }

    Duration cpu() {
        return Duration.ofNanos(process.getProcessCpuTime());
    }

    /** What is left after a collection. */
    long liveHeap() {
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException gone) {
            // The other side has ended.
        }
    }
}
