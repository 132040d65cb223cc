package dev.hotstate.monitors.check;

import dev.hotstate.monitors.check.CheckSpec.Auth;
import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * One request of a check: its first, or the one that a redirect asked for.
 *
 * @param trusted whether it goes where the monitor's own headers, credentials and server name are meant for
 */
record HttpQuestion(String method, Target target, @Nullable String body, boolean trusted, CheckOptions options) {
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    static HttpQuestion first(CheckSpec spec) {
        CheckOptions options = spec.options();
        return new HttpQuestion(options.method(), spec.where(), options.body(), true, options);
    }

    /** Another origin gets none of the monitor's headers: any of them may be a secret. */
    HttpQuestion redirected(int status, Target to) {
        boolean sameOrigin = trusted && target.isSameOrigin(to);
        boolean toGet = status == 303 ? !method.equals("HEAD") : status <= 302 && method.equals("POST");
        return toGet
                ? new HttpQuestion("GET", to, null, sameOrigin, options)
                : new HttpQuestion(method, to, sameOrigin ? body : null, sameOrigin, options);
    }

    CheckSpec.Tls tls() {
        CheckSpec.Tls tls = options.tls();
        return trusted ? tls : new CheckSpec.Tls(tls.verify(), null, tls.ca());
    }

    boolean mayHaveBody(int status) {
        return !method.equals("HEAD") && status != 204 && status != 304;
    }

    ClassicHttpRequest request() {
        var request = new BasicClassicHttpRequest(method, target.path());
        request.setHeader("Host", host());
        request.setHeader("User-Agent", "hotstate");
        request.setHeader("Accept", "*/*");
        request.setHeader("Accept-Encoding", "gzip, deflate");
        if (trusted) {
            options.headers().forEach(request::setHeader);
            authorize(request, options.auth());
        }
        request.setHeader("Connection", "close");
        byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0 || WITH_BODY.contains(method)) {
            request.setHeader("Content-Length", bytes.length);
            request.setEntity(new ByteArrayEntity(bytes, null));
        }
        return request;
    }

    private String host() {
        boolean usual = target.port() == (target.isSecure() ? 443 : 80);
        String authority = target.authority();
        return usual ? authority.substring(0, authority.lastIndexOf(':')) : authority;
    }

    private static void authorize(ClassicHttpRequest request, @Nullable Auth auth) {
        if (auth != null && auth.bearer() != null) {
            request.setHeader("Authorization", "Bearer " + auth.bearer());
        } else if (auth != null) {
            byte[] pair = (auth.username() + ":" + auth.password()).getBytes(StandardCharsets.UTF_8);
            request.setHeader("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
        }
    }
}
