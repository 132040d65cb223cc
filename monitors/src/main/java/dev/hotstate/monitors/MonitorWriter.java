package dev.hotstate.monitors;

import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** From a monitor to its document: every field that its type knows of, and no other. */
final class MonitorWriter {
    static final Set<CheckType> ENCRYPTED = Set.of(CheckType.HTTP, CheckType.TLS, CheckType.REDIS, CheckType.POSTGRES);

    private MonitorWriter() {}

    static MonitorDocument write(Monitor monitor) {
        var check = monitor.check();
        var options = check.options();
        var push = monitor.push();
        var cron = push == null ? null : push.cron();
        boolean http = check.type() == CheckType.HTTP;
        boolean dns = check.type() == CheckType.DNS;
        return new MonitorDocument(
                monitor.id(),
                monitor.name(),
                check.type().word(),
                push == null ? check.target() : null,
                monitor.interval(),
                check.timeout(),
                monitor.rhythm().retries(),
                monitor.rhythm().retryInterval(),
                monitor.rhythm().failureThreshold(),
                monitor.rhythm().successThreshold(),
                push == null ? texts(check.assertions()) : null,
                http ? options.method() : null,
                http ? sorted(options.headers()) : null,
                http ? options.body() : null,
                http ? auth(options.auth()) : null,
                http ? options.redirects() : null,
                ENCRYPTED.contains(check.type()) ? tls(options.tls()) : null,
                dns ? options.recordType() : null,
                dns ? options.resolver() : null,
                cron == null ? null : cron.expression(),
                cron == null ? null : cron.zone().getId(),
                push == null ? null : push.grace(),
                texts(monitor.tags()),
                texts(monitor.dependsOn()),
                texts(monitor.alerts()),
                monitor.remindEvery(),
                monitor.paused());
    }

    private static List<@Nullable String> texts(Collection<?> values) {
        var texts = new ArrayList<@Nullable String>(values.size());
        values.forEach(value -> texts.add(value.toString()));
        return texts;
    }

    private static Map<String, @Nullable String> sorted(Map<String, String> headers) {
        return new TreeMap<String, @Nullable String>(headers);
    }

    private static MonitorDocument.@Nullable Auth auth(CheckSpec.@Nullable Auth auth) {
        return auth == null ? null : new MonitorDocument.Auth(auth.username(), auth.password(), auth.bearer());
    }

    private static MonitorDocument.@Nullable Tls tls(CheckSpec.Tls tls) {
        return tls.equals(CheckSpec.Tls.DEFAULTS)
                ? null
                : new MonitorDocument.Tls(tls.verify(), tls.serverName(), tls.ca());
    }
}
