package dev.hotstate.traffic;

import dev.hotstate.traffic.Slots.Blob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * What one instance counted and has not told Redis yet. It is bounded while Redis is away for however long: totals by
 * endpoint, status and hour, the last seconds, the last samples, and the slots that anybody could still ask for.
 */
final class Book {
    /** Seconds before that are closed in Redis. */
    private static final int SECONDS_KEPT = 10;

    private final Endpoints endpoints;
    private final Slots slots = new Slots();
    private Map<Endpoint, Delta> deltas = new LinkedHashMap<>();
    private SortedMap<Integer, Long> statuses = new TreeMap<>();
    private SortedMap<Long, Long> seconds = new TreeMap<>();
    private SortedMap<Long, Long> hours = new TreeMap<>();

    Book(Endpoints endpoints) {
        this.endpoints = endpoints;
    }

    void enter(Page page, long nowMs) {
        page.cells(cell -> {
            Endpoint endpoint = endpoints.current(cell.endpoint(), nowMs);
            deltas.computeIfAbsent(endpoint, e -> new Delta()).add(cell);
            slots.add(endpoint, cell, nowMs);
            hours.merge(Level.HOUR.start(cell.startMs()), cell.figures().requests(), Long::sum);
        });
        page.statuses((status, count) -> statuses.merge((int) status, (long) count, Long::sum));
        page.seconds((second, count) -> seconds.merge(second, (long) count, Long::sum));
    }

    /** Lets go of what nobody could ask for any more. */
    void forget(long nowMs) {
        slots.forget(nowMs);
        seconds.headMap(nowMs / 1000 - SECONDS_KEPT).clear();
        hours.headMap(nowMs - TrafficKeys.HOUR_KEPT.toMillis()).clear();
    }

    /** Whether there is nothing to tell. */
    boolean isEmpty() {
        return deltas.isEmpty() && !slots.hasChanged();
    }

    /** Everything that Redis was not told, in parts; at least one, which may carry nothing. */
    List<Part> tear(LongSupplier sequences) {
        List<Part> parts = new ArrayList<>();
        Part part = new Part(sequences.getAsLong(), new Part.Whole(statuses, seconds, hours, slots.takeChangedOfAll()));
        parts.add(part);
        for (Part.Share share : shares()) {
            if (part.isFull()) {
                part = new Part(sequences.getAsLong(), nothing());
                parts.add(part);
            }
            part.add(share);
        }
        parts.forEach(Part::shareSamples);
        deltas = new LinkedHashMap<>();
        statuses = new TreeMap<>();
        seconds = new TreeMap<>();
        hours = new TreeMap<>();
        return parts;
    }

    /** What was to be told of an endpoint that Redis has no room for is told of {@code other}, with the next parts. */
    void fold(Part.Share refused) {
        deltas.computeIfAbsent(Endpoint.OTHER, e -> new Delta()).merge(refused.delta());
        Delta meanwhile = deltas.remove(refused.endpoint());
        if (meanwhile != null) {
            deltas.computeIfAbsent(Endpoint.OTHER, e -> new Delta()).merge(meanwhile);
        }
        slots.fold(refused.endpoint());
    }

    /** Redis has lost the slots. */
    void tellSlotsAgain() {
        slots.changeAll();
    }

    private List<Part.Share> shares() {
        Map<Endpoint, List<Blob>> blobs = slots.takeChanged();
        Map<Endpoint, Part.Share> shares = new LinkedHashMap<>();
        deltas.forEach((endpoint, delta) ->
                shares.put(endpoint, new Part.Share(endpoint, delta, blobs.getOrDefault(endpoint, List.of()))));
        blobs.forEach((endpoint, changed) ->
                shares.computeIfAbsent(endpoint, e -> new Part.Share(endpoint, new Delta(), changed)));
        return List.copyOf(shares.values());
    }

    private static Part.Whole nothing() {
        return new Part.Whole(
                Collections.emptySortedMap(), Collections.emptySortedMap(), Collections.emptySortedMap(), List.of());
    }
}
