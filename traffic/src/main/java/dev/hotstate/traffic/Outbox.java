package dev.hotstate.traffic;

import dev.hotstate.core.HotstateException;
import dev.hotstate.traffic.RedisTraffic.Sending;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Brings what one instance counted to Redis, each part once. A part without an answer is sent again, before anything
 * newer; what is counted meanwhile waits in the book, and is one flush later however long it took. One thread at a time.
 */
final class Outbox {
    /** Lost, restored and lost again: the next flush goes on with it. */
    private static final int ATTEMPTS = 4;

    private final InstanceRecorder recorder;
    private Writer writer;
    private final Book book;
    private final Endpoints endpoints;
    private final RedisTraffic redis;
    private final Restoration restoration;
    private final InstantSource clock;
    private final Deque<Part> pending = new ArrayDeque<>();
    private long sequence;
    private int peak;
    private volatile long heardMs;
    private String life = "";

    Outbox(
            InstanceRecorder recorder,
            Writer writer,
            Endpoints endpoints,
            RedisTraffic redis,
            Restoration restoration,
            InstantSource clock) {
        this.recorder = recorder;
        this.writer = writer;
        this.book = new Book(endpoints);
        this.endpoints = endpoints;
        this.redis = redis;
        this.restoration = restoration;
        this.clock = clock;
        this.heardMs = clock.millis();
    }

    /** Takes what was counted into the book; nothing here waits. */
    void collect() {
        long now = clock.millis();
        recorder.stripes().drain(page -> book.enter(page, now));
        peak = Math.max(peak, recorder.connections().takePeak());
        book.forget(now);
        if (!book.isEmpty()) {
            heardMs = now;
        }
    }

    /**
     * Sends all there is. A process tells that it lives also when it counted nothing; a reporter lives by its reports.
     *
     * @param leaves whether the instance ends its lease
     */
    void send(boolean leaves) {
        sendPending(leaves);
        // Twice when Redis had no room for an endpoint, or was lost: what that changed is told at once as well.
        for (boolean due = writer.process() || !book.isEmpty(); due; due = !book.isEmpty()) {
            pending.addAll(book.tear(() -> ++sequence));
            sendPending(leaves);
        }
        peak = 0;
    }

    Recorder recorder() {
        return recorder;
    }

    /** The same, which is about to be used: it is not silent. */
    Outbox inUse() {
        heardMs = clock.millis();
        return this;
    }

    /** Whether it has told everything, and nothing was reported since that time. */
    boolean isSilentSince(long ms) {
        return pending.isEmpty() && book.isEmpty() && heardMs < ms;
    }

    private void sendPending(boolean leaves) {
        while (!pending.isEmpty()) {
            sendOne(pending.getFirst(), leaves);
            pending.removeFirst();
        }
    }

    private void sendOne(Part part, boolean leaves) {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            int open = recorder.connections().current();
            Sending sending = new Sending(writer, life, clock.millis() / 1000, open, Math.max(open, peak), leaves);
            switch (redis.flush(part, sending)) {
                case Flushed.Counted counted -> {
                    noticeLife(counted.life());
                    return;
                }
                case Flushed.Lost lost -> restoration.run(lost.life(), life);
                case Flushed.Crowded crowded -> writer = writer.asOther();
                case Flushed.Full full -> full.refused().forEach(segment -> fold(part, segment));
            }
        }
        throw new HotstateException("the counters were lost " + ATTEMPTS + " times while a flush was sent");
    }

    /** Another life than the last one: Redis was lost meanwhile, and with it what it knew of the current slots. */
    private void noticeLife(String current) {
        if (!life.isEmpty() && !life.equals(current)) {
            book.tellSlotsAgain();
        }
        life = current;
    }

    private void fold(Part part, String segment) {
        endpoints.refuse(segment);
        book.fold(part.remove(segment));
    }
}
