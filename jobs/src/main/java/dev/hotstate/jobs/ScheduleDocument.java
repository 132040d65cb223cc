package dev.hotstate.jobs;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.core.Cron;
import dev.hotstate.core.Durations;
import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.jobs.graph.JobDocument;
import dev.hotstate.jobs.graph.JobSpec;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is written: {@code cron} with {@code time_zone} (UTC), or {@code interval}, which is the same in each;
 * {@code overlap} (skip), {@code catch_up} (none), {@code paused}; and the {@code job} as it would be submitted, without an
 * id and a key, which are of each time.
 */
public final class ScheduleDocument {
    private static final JsonMapper JSON = new JsonMapper();
    /** What is told of a schedule beside what it is: who puts back what was got says it too. */
    private static final Set<String> TOLD = Set.of("next_at", "last_at", "last_job", "created_at", "updated_at");

    private static final Set<String> FIELDS =
            Set.of("id", "cron", "time_zone", "interval", "overlap", "catch_up", "paused", "job");

    private final JsonNode document;
    private final boolean stored;
    private final Flaws flaws = new Flaws(FIELDS);

    private ScheduleDocument(JsonNode document, boolean stored) {
        this.document = document;
        this.stored = stored;
    }

    /** @throws InvalidDocumentException with everything that is wrong */
    public static Schedule json(String id, byte[] document) {
        return read(id, JobDocument.tree(document, false), false);
    }

    /** As {@link #json}, from YAML. */
    public static Schedule yaml(String id, byte[] document) {
        return read(id, JobDocument.tree(document, true), false);
    }

    /** What was written by {@link #write}, here or by a newer version: fields that are not known are passed over. */
    static Schedule stored(String id, String document) {
        return read(id, JobDocument.tree(document.getBytes(StandardCharsets.UTF_8), false), true);
    }

    /** What {@link #json} reads back as the same schedule. */
    public static String write(Schedule schedule) {
        ObjectNode out = JSON.createObjectNode();
        switch (schedule.times()) {
            case Schedule.Crons crons ->
                out.put("cron", crons.cron().expression())
                        .put("time_zone", crons.cron().zone().getId());
            case Schedule.Every every -> {
                out.put("interval", Durations.print(every.interval()));
                if (every.zone() != null) {
                    out.put("time_zone", every.zone().getId());
                }
            }
        }
        out.put("overlap", schedule.overlap().word())
                .put("catch_up", schedule.catchUp().word())
                .put("paused", schedule.paused());
        byte[] written = JobDocument.write(schedule.job()).getBytes(StandardCharsets.UTF_8);
        ObjectNode job = (ObjectNode) JobDocument.tree(written, false);
        out.set("job", job.without(List.of("id", "idempotency_key")));
        return out.toString();
    }

    private static Schedule read(String id, JsonNode tree, boolean stored) {
        if (!tree.isObject()) {
            throw new InvalidDocumentException(List.of(new Flaw("body", "must be an object")));
        }
        return new ScheduleDocument(tree, stored).read(id);
    }

    private Schedule read(String id) {
        document.fieldNames()
                .forEachRemaining(field -> flaws.that(
                        stored || FIELDS.contains(field) || TOLD.contains(field),
                        shortened(field),
                        "is not known here; known are "
                                + FIELDS.stream().sorted().toList()));
        String said = text("id");
        flaws.that(said == null || said.equals(id), "id", "must be \"" + id + "\", as in the path");
        Schedule.Times times = times();
        Schedule.Overlap overlap = choice("overlap", Schedule.Overlap.class, Schedule.Overlap.SKIP);
        Schedule.CatchUp catchUp = choice("catch_up", Schedule.CatchUp.class, Schedule.CatchUp.NONE);
        JsonNode paused = document.path("paused");
        flaws.that(paused.isBoolean() || isAbsent(paused), "paused", "must be true or false");
        JobSpec job = job();
        if (times == null || job == null) {
            flaws.refuse();
            throw new IllegalStateException("nothing is wrong, and something is missing");
        }
        Schedule schedule =
                flaws.value("id", () -> new Schedule(id, times, overlap, catchUp, paused.asBoolean(false), job));
        flaws.refuse();
        return java.util.Objects.requireNonNull(schedule);
    }

    private Schedule.@Nullable Times times() {
        String cron = text("cron");
        String interval = text("interval");
        flaws.that((cron == null) != (interval == null), "cron", "is required, or else interval, and not both");
        String zone = text("time_zone");
        if (cron != null) {
            return flaws.value("cron", () -> new Schedule.Crons(Cron.of(cron, requireNonNullElse(zone, "UTC"))));
        }
        ZoneId known = zone == null ? null : flaws.value("time_zone", () -> Cron.zone(zone));
        return interval == null
                ? null
                : flaws.value("interval", () -> new Schedule.Every(Durations.parse(interval), known));
    }

    private @Nullable JobSpec job() {
        JsonNode job = document.path("job");
        if (isAbsent(job)) {
            flaws.add(new Flaw("job", "is required"));
            return null;
        }
        flaws.that(!job.has("id"), "job.id", "is made of the schedule's id and the time");
        flaws.that(!job.has("idempotency_key"), "job.idempotency_key", "is of no use: each time is a job of its own");
        try {
            String text = job.toString();
            return stored
                    ? JobDocument.stored(text).job()
                    : JobDocument.json(text.getBytes(StandardCharsets.UTF_8)).job();
        } catch (InvalidDocumentException wrong) {
            wrong.flaws()
                    .forEach(flaw -> flaws.add(
                            flaw.field().equals("body") ? new Flaw("job", flaw.message()) : flaw.under("job.")));
            return null;
        }
    }

    private <E extends Enum<E>> E choice(String field, Class<E> type, E usual) {
        String word = text(field);
        if (word == null) {
            return usual;
        }
        List<String> words = Arrays.stream(type.getEnumConstants())
                .map(one -> one.name().toLowerCase(Locale.ROOT))
                .toList();
        flaws.that(words.contains(word), field, "must be one of " + words + ", not \"" + shortened(word) + "\"");
        return words.contains(word) ? type.getEnumConstants()[words.indexOf(word)] : usual;
    }

    private @Nullable String text(String field) {
        JsonNode value = document.path(field);
        flaws.that(value.isTextual() || isAbsent(value), field, "must be a text");
        return value.textValue();
    }

    private static String shortened(String text) {
        return text.length() > 80 ? text.substring(0, 80) + "…" : text;
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }
}
