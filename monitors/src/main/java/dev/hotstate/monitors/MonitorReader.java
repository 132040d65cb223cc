package dev.hotstate.monitors;

import static java.util.Objects.requireNonNullElse;

import dev.hotstate.core.Cron;
import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import dev.hotstate.monitors.check.Assertion;
import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.monitors.check.CheckType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** From a document to its monitor. It goes on after each flaw, so that all of them are found. */
final class MonitorReader {
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration USUAL_GRACE = Duration.ofMinutes(1);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(5);
    // In place of what could not be read, so that the rest is checked too. It never leaves this class.
    private static final CheckSpec STAND_IN =
            new CheckSpec(CheckType.TCP, "localhost:1", USUAL_TIMEOUT, List.of(), CheckOptions.DEFAULTS);

    private final MonitorDocument document;
    private final Flaws flaws = new Flaws(MonitorDocument.FIELDS);

    private MonitorReader(MonitorDocument document) {
        this.document = document;
    }

    static Monitor read(MonitorDocument document, String id) {
        var reader = new MonitorReader(document);
        Monitor monitor = reader.monitor(id, document.paused() != null && document.paused());
        reader.flaws.refuse();
        return Objects.requireNonNull(monitor);
    }

    static List<Monitor> readAll(
            List<@Nullable MonitorDocument> documents, Function<String, Optional<Monitor>> stored) {
        var all = new Flaws(MonitorDocument.FIELDS);
        var monitors = new ArrayList<Monitor>(documents.size());
        var seen = new HashSet<String>();
        for (int i = 0; i < documents.size(); i++) {
            var document = documents.get(i);
            if (document == null) {
                all.add(new Flaw("[" + i + "]", "must be an object"));
                continue;
            }
            String id = id(document);
            all.that(seen.add(id), "[" + i + "].id", "\"" + id + "\" is given twice");
            Optional<Monitor> old = stored.apply(id);
            var kept = new Flaws();
            var whole =
                    kept.value("target", () -> old.map(document::withSecretsOf).orElse(document));
            kept.moveTo(all, "[" + i + "].");
            var reader = new MonitorReader(whole == null ? document : whole);
            boolean paused = requireNonNullElse(
                    document.paused(), old.map(Monitor::paused).orElse(false));
            Monitor monitor = reader.monitor(id, paused);
            reader.flaws.moveTo(all, "[" + i + "].");
            if (monitor != null) {
                monitors.add(monitor);
            }
        }
        all.refuse();
        return monitors;
    }

    private static String id(MonitorDocument document) {
        return document.id() != null
                ? document.id()
                : document.name() == null ? MonitorIds.random(null) : MonitorIds.ofName(document.name());
    }

    /** Null only if there are flaws. */
    private @Nullable Monitor monitor(String id, boolean paused) {
        flaws.that(document.name() != null, "name", "is required");
        CheckType type = type();
        var rhythm = flaws.value("interval", this::rhythm);
        Duration interval = rhythm == null ? Monitor.Rhythm.DEFAULTS.interval() : rhythm.interval();
        var check = type == null ? null : check(type);
        var push = type == CheckType.PUSH ? flaws.value("cron", () -> push(interval)) : null;
        if (type != null) {
            refuseForeign(type);
        }
        var tags = flaws.present("tags", document.tags());
        var dependsOn = flaws.present("depends_on", document.dependsOn());
        var alerts = flaws.present("alerts", document.alerts());
        boolean passive = push != null && check != null;
        var monitor = flaws.value(
                "id",
                () -> new Monitor(
                        id,
                        requireNonNullElse(document.name(), "unnamed"),
                        check == null || check.type() == CheckType.PUSH && !passive ? STAND_IN : check,
                        requireNonNullElse(rhythm, Monitor.Rhythm.DEFAULTS),
                        passive ? push : null,
                        tags,
                        dependsOn,
                        alerts,
                        document.remindEvery(),
                        paused));
        return flaws.none() ? monitor : null;
    }

    private @Nullable CheckType type() {
        String word = document.type();
        var type = CheckType.of(word).orElse(null);
        String known = Arrays.stream(CheckType.values()).map(CheckType::word).collect(Collectors.joining(", "));
        flaws.that(type != null, "type", word == null ? "is required" : "must be one of " + known);
        return type;
    }

    private Monitor.Rhythm rhythm() {
        var usual = Monitor.Rhythm.DEFAULTS;
        return new Monitor.Rhythm(
                requireNonNullElse(document.interval(), usual.interval()),
                requireNonNullElse(document.retries(), usual.retries()),
                requireNonNullElse(document.retryInterval(), usual.retryInterval()),
                requireNonNullElse(document.failureThreshold(), usual.failureThreshold()),
                requireNonNullElse(document.successThreshold(), usual.successThreshold()));
    }

    private @Nullable CheckSpec check(CheckType type) {
        String target = requireNonNullElse(document.target(), "");
        boolean passive = type == CheckType.PUSH;
        flaws.that(passive || !target.isBlank(), "target", "is required");
        flaws.that(!passive || target.isBlank(), "target", "is not for push: its job reports by itself");
        flaws.that(!Secrets.isMaskedUrl(target), "target", "has a mask in place of its password");
        var timeout = requireNonNullElse(document.timeout(), USUAL_TIMEOUT);
        boolean timely = timeout.compareTo(SHORTEST_TIMEOUT) >= 0 && timeout.compareTo(LONGEST_TIMEOUT) <= 0;
        flaws.range("timeout", timeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT);
        var assertions = assertions();
        var options = requireNonNullElse(options(), CheckOptions.DEFAULTS);
        return !passive && target.isBlank()
                ? null
                : flaws.value(
                        "target",
                        () -> new CheckSpec(
                                type,
                                passive ? "" : target,
                                timely ? timeout : USUAL_TIMEOUT,
                                passive ? List.of() : assertions,
                                options));
    }

    private List<Assertion> assertions() {
        List<@Nullable String> texts = requireNonNullElse(document.assertions(), List.of());
        var assertions = new ArrayList<Assertion>();
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            String field = "assertions[" + i + "]";
            try {
                if (text == null) {
                    flaws.add(new Flaw(field, "must be a text"));
                } else {
                    assertions.add(Assertion.parse(text));
                }
            } catch (IllegalArgumentException bad) {
                flaws.add(new Flaw(field, String.valueOf(bad.getMessage())));
            }
        }
        return assertions;
    }

    private @Nullable CheckOptions options() {
        var usual = CheckOptions.DEFAULTS;
        var headers = headers();
        var auth = auth();
        var tls = flaws.value("tls", this::tls);
        return flaws.value(
                "type",
                () -> new CheckOptions(
                        requireNonNullElse(document.method(), usual.method()),
                        headers,
                        document.body(),
                        auth,
                        requireNonNullElse(document.redirects(), usual.redirects()),
                        requireNonNullElse(tls, usual.tls()),
                        requireNonNullElse(document.recordType(), usual.recordType()),
                        document.resolver()));
    }

    private Map<String, String> headers() {
        var headers = new HashMap<String, String>();
        requireNonNullElse(document.headers(), Map.<String, @Nullable String>of())
                .forEach((name, value) -> {
                    String field = "headers." + name;
                    flaws.that(value != null, field, "must be a text");
                    flaws.that(!Secrets.isMasked(value), field, "is a mask, and no secret of that name is stored");
                    headers.put(name, requireNonNullElse(value, ""));
                });
        return headers;
    }

    private CheckSpec.@Nullable Auth auth() {
        var auth = document.auth();
        if (auth == null || auth.username() == null && auth.password() == null && auth.bearer() == null) {
            return null;
        }
        boolean basic = auth.username() != null && auth.password() != null && auth.bearer() == null;
        boolean bearer = auth.username() == null && auth.password() == null;
        flaws.that(basic || bearer, "auth", "must be a username and a password, or a bearer");
        flaws.that(!Secrets.isMasked(auth.password()), "auth.password", "is a mask, and no password is stored");
        flaws.that(!Secrets.isMasked(auth.bearer()), "auth.bearer", "is a mask, and no token is stored");
        return basic || bearer
                ? flaws.value("auth", () -> new CheckSpec.Auth(auth.username(), auth.password(), auth.bearer()))
                : null;
    }

    private CheckSpec.Tls tls() {
        var tls = document.tls();
        return tls == null
                ? CheckSpec.Tls.DEFAULTS
                : new CheckSpec.Tls(tls.verify() == null || tls.verify(), tls.serverName(), tls.ca());
    }

    private Monitor.Push push(Duration interval) {
        String cron = document.cron();
        flaws.that(cron != null || document.timeZone() == null, "time_zone", "needs a cron");
        var usual = cron == null ? shorter(USUAL_GRACE, interval) : USUAL_GRACE;
        var grace = requireNonNullElse(document.grace(), usual);
        String zone = requireNonNullElse(document.timeZone(), "UTC");
        return new Monitor.Push(grace, cron == null ? null : Cron.of(cron, zone));
    }

    /** What the type has no use for is refused: its author believes that it does something. */
    private void refuseForeign(CheckType type) {
        var usual = CheckOptions.DEFAULTS;
        boolean http = type == CheckType.HTTP;
        boolean dns = type == CheckType.DNS;
        boolean push = type == CheckType.PUSH;
        only("http", http, "method", document.method(), usual.method());
        only("http", http, "headers", document.headers(), Map.of());
        only("http", http, "body", document.body(), "");
        only("http", http, "auth", document.auth(), new MonitorDocument.Auth(null, null, null));
        only("http", http, "redirects", document.redirects(), usual.redirects());
        only(
                "http, tls, redis and postgres",
                MonitorWriter.ENCRYPTED.contains(type),
                "tls",
                document.tls(),
                new MonitorDocument.Tls(true, null, null));
        only("dns", dns, "record_type", document.recordType(), usual.recordType());
        only("dns", dns, "resolver", document.resolver(), "");
        only("push", push, "cron", document.cron(), "");
        only("push", push, "time_zone", document.timeZone(), "UTC");
        only("push", push, "grace", document.grace(), USUAL_GRACE);
        only("what is asked, not for push", !push, "assertions", document.assertions(), List.of());
    }

    private void only(String types, boolean known, String field, @Nullable Object value, Object usual) {
        flaws.that(known || value == null || value.equals(usual), field, "is for " + types);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
