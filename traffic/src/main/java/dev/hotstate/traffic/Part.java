package dev.hotstate.traffic;

import dev.hotstate.traffic.Slots.Blob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * What one call of the flush script carries: at most {@value #MOST_ENDPOINTS} endpoints and {@value #MOST_SAMPLES}
 * samples, so that Redis is held for a few milliseconds at most, and how many calls a flush takes depends on the endpoints
 * that were asked for, not on how often. It is sent under its sequence until Redis has answered, and counts once.
 */
final class Part {
    static final int MOST_ENDPOINTS = 50;

    /** Shared fairly among the endpoints; the newest of each. */
    static final int MOST_SAMPLES = 1_000;

    /** Values of slots that fill a part: an endpoint has four, or up to 65 after Redis was away for long. */
    static final int ENOUGH_SLOTS = 1_000;

    private final long sequence;
    private final Whole whole;
    private final List<Share> shares = new ArrayList<>();
    private int slotValues;

    Part(long sequence, Whole whole) {
        this.sequence = sequence;
        this.whole = whole;
    }

    /**
     * What is not of one endpoint; only the first part of a flush has any.
     *
     * @param statuses requests by status
     * @param seconds requests by second
     * @param hours requests by the hour's begin (ms)
     * @param slots over all endpoints
     */
    record Whole(
            SortedMap<Integer, Long> statuses,
            SortedMap<Long, Long> seconds,
            SortedMap<Long, Long> hours,
            List<Blob> slots) {
        long requests() {
            return statuses.values().stream().mapToLong(Long::longValue).sum();
        }

        long refusals() {
            return statuses.getOrDefault(429, 0L) + statuses.getOrDefault(503, 0L);
        }

        /** By status. */
        Map<Integer, Long> errors() {
            return statuses.tailMap(400);
        }
    }

    /** What is of one endpoint. */
    record Share(Endpoint endpoint, Delta delta, List<Blob> slots) {}

    boolean isFull() {
        return shares.size() == MOST_ENDPOINTS || slotValues >= ENOUGH_SLOTS;
    }

    void add(Share share) {
        shares.add(share);
        slotValues += share.slots().size();
    }

    /** Those with the fewest samples keep all of them; what they leave is for the others. */
    void shareSamples() {
        List<Delta> fewestFirst = shares.stream()
                .map(Share::delta)
                .sorted(Comparator.comparingInt(delta -> delta.samples().size()))
                .toList();
        int left = MOST_SAMPLES;
        for (int i = 0; i < fewestFirst.size(); i++) {
            fewestFirst.get(i).keepSamples(left / (fewestFirst.size() - i));
            left -= fewestFirst.get(i).samples().size();
        }
    }

    /** Takes the endpoint's share out: Redis has no room for it. */
    Share remove(String segment) {
        Share share = shares.stream()
                .filter(candidate -> candidate.endpoint().segment().equals(segment))
                .findFirst()
                .orElseThrow();
        shares.remove(share);
        return share;
    }

    long sequence() {
        return sequence;
    }

    Whole whole() {
        return whole;
    }

    List<Share> shares() {
        return shares;
    }
}
