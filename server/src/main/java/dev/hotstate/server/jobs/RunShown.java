package dev.hotstate.server.jobs;

import dev.hotstate.jobs.graph.Run;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a task runs, as it was submitted; what looks like a secret is not shown. */
final class RunShown {
    static final String MASK = "••••";
    private static final String SECRET_NAME = "auth|cookie|token|secret|passw|pwd|key|credential|session|sig";
    private static final Pattern SECRET = Pattern.compile(SECRET_NAME, Pattern.CASE_INSENSITIVE);
    private static final Pattern USER_INFO = Pattern.compile("^([a-z]+://)[^/@?#]*@", Pattern.CASE_INSENSITIVE);
    private static final Pattern PARAMETER =
            Pattern.compile("([?&][^=&#]*(?:" + SECRET_NAME + ")[^=&#]*=)[^&#]+", Pattern.CASE_INSENSITIVE);

    private RunShown() {}

    static @Nullable Map<String, Object> of(Run run) {
        return switch (run) {
            case Run.External external -> null;
            case Run.Handler handler -> Map.of("handler", handler.name());
            case Run.Shell shell -> Map.of("shell", shell.command());
            case Run.Http http -> Map.of("http", http(http));
        };
    }

    private static Map<String, @Nullable Object> http(Run.Http http) {
        var shown = new LinkedHashMap<String, @Nullable Object>();
        shown.put("method", http.method());
        shown.put("url", url(http.url()));
        shown.put("headers", headers(http.headers()));
        shown.put("body", http.body());
        return shown;
    }

    static String url(String url) {
        var withoutUser = USER_INFO.matcher(url).replaceFirst("$1" + MASK + "@");
        return PARAMETER.matcher(withoutUser).replaceAll("$1" + MASK);
    }

    private static Map<String, String> headers(Map<String, String> headers) {
        var shown = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> shown.put(name, SECRET.matcher(name).find() ? MASK : value));
        return shown;
    }
}
