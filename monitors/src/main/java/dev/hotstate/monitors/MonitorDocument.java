package dev.hotstate.monitors;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hotstate.core.Flaw;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A monitor as it is written: submitted, shown, and kept in PostgreSQL. What is not said is left out and has its default,
 * so that a document which was read can be submitted as it is.
 *
 * <p>A timeout that is not said is 10 s, or the interval where that is shorter. One that is said may be longer than the
 * interval: checks of one monitor never overlap, they are then only less frequent. A grace that is not said is a minute,
 * or the interval where that is shorter and there is no cron.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MonitorDocument(
        @Nullable String id,
        @Nullable String name,
        @Nullable String type,
        @Nullable String target,
        @Nullable Duration interval,
        @Nullable Duration timeout,
        @Nullable Integer retries,
        @Nullable Duration retryInterval,
        @Nullable Integer failureThreshold,
        @Nullable Integer successThreshold,
        @Nullable List<@Nullable String> assertions,
        @Nullable String method,
        @Nullable Map<String, @Nullable String> headers,
        @Nullable String body,
        @Nullable Auth auth,
        @Nullable Integer redirects,
        @Nullable Tls tls,
        @Nullable String recordType,
        @Nullable String resolver,
        @Nullable String cron,
        @Nullable String timeZone,
        @Nullable Duration grace,
        @Nullable List<@Nullable String> tags,
        @Nullable List<@Nullable String> dependsOn,
        @Nullable List<@Nullable String> alerts,
        @Nullable Duration remindEvery,
        @Nullable Boolean paused) {

    /** Basic with user and password, or a bearer token. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Auth(
            @Nullable String username,
            @Nullable String password,
            @Nullable String bearer) {
        Auth masked() {
            return new Auth(username, Secrets.masked(password), Secrets.masked(bearer));
        }

        Auth withSecretsOf(CheckSpec.@Nullable Auth stored) {
            return stored == null
                    ? this
                    : new Auth(
                            username, Secrets.kept(password, stored.password()), Secrets.kept(bearer, stored.bearer()));
        }

        /** Without the secrets. */
        @Override
        public String toString() {
            return "Auth[" + (bearer == null ? username : "bearer") + "]";
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Tls(
            @Nullable Boolean verify,
            @Nullable String serverName,
            @Nullable String ca) {}

    static final Set<String> FIELDS = Arrays.stream(MonitorDocument.class.getRecordComponents())
            .map(RecordComponent::getName)
            .map(name -> name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());

    /** The whole of it, with its secrets: for PostgreSQL, and for {@link #masked} to be shown. */
    public static MonitorDocument of(Monitor monitor) {
        return MonitorWriter.write(monitor);
    }

    /**
     * The monitor, with the defaults of all that is not said; without an id it gets one of its name and chance.
     *
     * @throws InvalidDocumentException with everything that is wrong
     */
    public Monitor toMonitor() {
        return MonitorReader.read(this, id == null ? MonitorIds.random(name) : id);
    }

    /** As {@link #toMonitor()}, of that id whatever the document says. */
    public Monitor toMonitor(String ofId) {
        return MonitorReader.read(this, ofId);
    }

    /**
     * The monitors of a list that is applied. There, one without an id gets it from its name alone, so that the same list
     * means the same monitors each time; secrets that are masked, and a pause that is not said, stay as they are stored.
     *
     * @throws InvalidDocumentException with everything that is wrong, each field with its place: {@code [3].name}
     */
    public static List<Monitor> toMonitors(
            List<@Nullable MonitorDocument> documents, Function<String, Optional<Monitor>> stored) {
        return MonitorReader.readAll(documents, stored);
    }

    /** With a mask in place of each secret, as it may be shown. */
    public MonitorDocument masked() {
        return withSecrets(
                target == null ? null : Secrets.maskedUrl(target),
                headers == null ? null : Secrets.maskedHeaders(headers),
                auth == null ? null : auth.masked());
    }

    /**
     * With the stored secrets in place of masks that were sent back.
     *
     * @throws InvalidDocumentException if the target is another host: whoever may change a monitor may not read its secrets,
     *     and must not have them sent to himself
     */
    public MonitorDocument withSecretsOf(Monitor stored) {
        var old = stored.check();
        var masks = masks();
        if (masks.isEmpty() || !hasTarget()) {
            return this; // and without a target it is refused for that
        }
        if (!old.goesTo(CheckType.of(type).orElseThrow(), requireNonNull(target))) {
            throw new InvalidDocumentException(masks.stream()
                    .map(field -> new Flaw(field, "is masked: write it again, since the target is another host"))
                    .toList());
        }
        return withSecrets(
                target == null ? null : Secrets.keptUrl(target, old.target()),
                headers == null
                        ? null
                        : Secrets.keptHeaders(headers, old.options().headers()),
                auth == null ? null : auth.withSecretsOf(old.options().auth()));
    }

    /** The fields in which a mask stands. */
    private List<String> masks() {
        var fields = new ArrayList<String>();
        if (target != null && Secrets.isMaskedUrl(target)) {
            fields.add("target");
        }
        if (headers != null) {
            headers.forEach((name, value) -> {
                if (Secrets.isMasked(value)) {
                    fields.add("headers." + name);
                }
            });
        }
        if (auth != null && Secrets.isMasked(auth.password())) {
            fields.add("auth.password");
        }
        if (auth != null && Secrets.isMasked(auth.bearer())) {
            fields.add("auth.bearer");
        }
        return fields;
    }

    private boolean hasTarget() {
        var kind = CheckType.of(type);
        return target != null && kind.isPresent() && CheckSpec.isTarget(kind.get(), target);
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return "MonitorDocument[" + id + "]";
    }

    private MonitorDocument withSecrets(
            @Nullable String target, @Nullable Map<String, @Nullable String> headers, @Nullable Auth auth) {
        return new MonitorDocument(
                id,
                name,
                type,
                target,
                interval,
                timeout,
                retries,
                retryInterval,
                failureThreshold,
                successThreshold,
                assertions,
                method,
                headers,
                body,
                auth,
                redirects,
                tls,
                recordType,
                resolver,
                cron,
                timeZone,
                grace,
                tags,
                dependsOn,
                alerts,
                remindEvery,
                paused);
    }
}
