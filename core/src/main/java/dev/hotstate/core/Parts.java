package dev.hotstate.core;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a feature has begun, ended in the opposite order. One that fails to end is told of and keeps no other. */
public final class Parts implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Parts.class);

    private final String whole;
    private final Deque<AutoCloseable> begun = new ArrayDeque<>();

    private Parts(String whole) {
        this.whole = whole;
    }

    /** Builds a feature of parts, which it is to close; should that throw, those that were begun have ended. */
    public static <T> T together(String whole, Function<Parts, T> building) {
        Parts parts = new Parts(whole);
        try {
            return building.apply(parts);
        } catch (RuntimeException | Error failed) {
            parts.close();
            throw failed;
        }
    }

    public <T extends AutoCloseable> T keep(T part) {
        begun.push(part);
        return part;
    }

    /** Sees to something again and again, about once a second. */
    public Follower follow(String what, Runnable look) {
        Follower follower = keep(new Follower(what, look));
        follower.start();
        return follower;
    }

    public void follow(String what, Duration every, Runnable look) {
        keep(new Follower(what, every, look)).start();
    }

    @Override
    public void close() {
        while (!begun.isEmpty()) {
            try {
                begun.pop().close();
            } catch (Exception broken) {
                log.warn("A part of {} did not end cleanly", whole, broken);
            }
        }
    }
}
