package dev.hotstate.limits.helidon;

import dev.hotstate.limits.Call;
import dev.hotstate.limits.Decision;
import dev.hotstate.limits.RateLimitHeaders;
import dev.hotstate.limits.RateLimiter;
import dev.hotstate.limits.Refusal;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpFeature;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets a request through if its limits allow it, else answers 429 (or 503 when Redis is away and a rule says
 * {@code closed}). Either way the {@code RateLimit} headers tell how the caller stands.
 *
 * <pre>{@code
 * routing.addFeature(new LimitFeature(limiter, request -> Optional.of(Call.of("api", request.remotePeer().host()))));
 * }</pre>
 */
public final class LimitFeature implements HttpFeature {
    private final RateLimiter limiter;
    private final Function<ServerRequest, Optional<Call>> calls;

    /** @param calls what a request spends; empty lets it through unlimited */
    public LimitFeature(RateLimiter limiter, Function<ServerRequest, Optional<Call>> calls) {
        this.limiter = limiter;
        this.calls = calls;
    }

    @Override
    public void setup(HttpRouting.Builder routing) {
        routing.addFilter(this::filter);
    }

    private void filter(FilterChain chain, ServerRequest request, ServerResponse response) {
        Optional<Decision> decision = calls.apply(request).map(limiter::tryAcquire);
        decision.ifPresent(made -> RateLimitHeaders.of(made).forEach((name, value) -> response.header(name, value)));
        if (decision.isPresent() && decision.get() instanceof Decision.Denied denied) {
            Refusal refusal = Refusal.of(denied);
            response.status(refusal.status())
                    .header(HeaderNames.CONTENT_TYPE, Refusal.CONTENT_TYPE)
                    .send(refusal.body());
        } else {
            chain.proceed();
        }
    }
}
