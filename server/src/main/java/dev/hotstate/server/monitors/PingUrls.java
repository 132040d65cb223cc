package dev.hotstate.server.monitors;

import dev.hotstate.monitors.Definition;
import dev.hotstate.monitors.check.CheckType;
import dev.hotstate.server.http.Request;
import dev.hotstate.server.http.Role;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where the job of a push monitor reports. The URL is as good as a right to write, so a viewer is not shown it. */
final class PingUrls {
    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9._-]{1,253}(:\\d{1,5})?|\\[[0-9A-Fa-f:.]+](:\\d{1,5})?");

    private final String publicUrl;

    /** @param publicUrl how this server is reached from outside; empty for the host that a request names */
    PingUrls(String publicUrl) {
        this.publicUrl = publicUrl.replaceFirst("/+$", "");
    }

    @Nullable
    String of(Request request, Definition definition) {
        boolean mayWrite = request.caller()
                .map(caller -> caller.role() == Role.ADMIN || caller.role() == Role.OPERATOR)
                .orElse(false);
        return definition.monitor().type() == CheckType.PUSH && mayWrite
                ? base(request) + "/ping/" + definition.pingKey()
                : null;
    }

    private String base(Request request) {
        if (!publicUrl.isEmpty()) {
            return publicUrl;
        }
        return request.header("Host")
                .filter(host -> HOST.matcher(host).matches())
                .map(host -> (request.isSecure() ? "https://" : "http://") + host)
                .orElse("");
    }
}
