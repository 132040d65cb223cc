package dev.hotstate.bench.drill;

/** A process that a drill may end at any moment. */
public interface Killable extends AutoCloseable {
    long pid();

    /** SIGKILL: it is gone when this returns. */
    void kill();

    @Override
    void close();
}
