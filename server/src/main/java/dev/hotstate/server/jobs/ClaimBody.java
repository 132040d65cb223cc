package dev.hotstate.server.jobs;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.hotstate.jobs.JobKeys;
import dev.hotstate.jobs.Lane;
import dev.hotstate.jobs.Wanted;
import dev.hotstate.jobs.graph.Run;
import dev.hotstate.server.http.Check;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a worker asks for over HTTP: everything has a default. */
record ClaimBody(
        @Nullable String worker,
        @Nullable List<@Nullable String> queues,
        @Nullable Integer max,
        @Nullable Duration lease,
        @JsonProperty("wait") @Nullable Duration patience) {
    static final Duration USUAL_LEASE = Duration.ofSeconds(30);

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    // More than one claim gives: who asks for more is answered with fewer.
    private static final int MOST_ASKED = 1_000;
    private static final int MOST_QUEUES = 50;
    private static final Pattern WORKER = Pattern.compile("[!-~]{1,64}");

    /**
     * Refused where anything is wrong, also with what was checked before.
     *
     * @param place what the names of fields begin with, such as {@code claim.}
     */
    Wanted wanted(String place, Check check) {
        String name = Objects.requireNonNullElse(worker, "http");
        int most = Objects.requireNonNullElse(max, 1);
        var longest = Objects.requireNonNullElse(patience, Duration.ZERO);
        check.that(WORKER.matcher(name).matches(), place + "worker", "must be 1 to 64 characters without spaces");
        check.that(most >= 1 && most <= MOST_ASKED, place + "max", "must be from 1 to " + MOST_ASKED);
        check.that(longest.compareTo(LONGEST_WAIT) <= 0, place + "wait", "must be at most 30s");
        var lanes = lanes(place, check);
        var held = lease(lease, place, check);
        check.refuse();
        return new Wanted(name, lanes, Math.min(most, Wanted.MOST), held, longest);
    }

    static Duration lease(@Nullable Duration asked, String place, Check check) {
        var lease = Objects.requireNonNullElse(asked, USUAL_LEASE);
        check.that(
                lease.compareTo(SHORTEST_LEASE) >= 0 && lease.compareTo(Wanted.LONGEST_LEASE) <= 0,
                place + "lease",
                "must be from 100ms to 24h");
        return lease;
    }

    private List<Lane> lanes(String place, Check check) {
        var asked = queues == null || queues.isEmpty() ? List.of("default") : queues;
        check.that(asked.size() <= MOST_QUEUES, place + "queues", "must be at most " + MOST_QUEUES);
        for (int i = 0; i < asked.size(); i++) {
            String queue = asked.get(i);
            check.that(
                    queue != null && JobPath.isName(queue, JobKeys.MAX_QUEUE),
                    place + "queues[" + i + "]",
                    "must be 1 to " + JobKeys.MAX_QUEUE + " of A-Z a-z 0-9 . _ -");
        }
        return asked.stream()
                .filter(Objects::nonNull)
                .distinct()
                .map(queue -> new Lane(queue, Run.External.LANE))
                .toList();
    }
}
