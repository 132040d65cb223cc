package dev.hotstate.limits.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.limits.Call;
import dev.hotstate.limits.Decision;
import dev.hotstate.limits.RateLimitHeaders;
import dev.hotstate.limits.RateLimiter;
import dev.hotstate.limits.Refusal;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets a request through if its limits allow it, else answers 429 (or 503 when Redis is away and a rule says
 * {@code closed}). Either way the {@code RateLimit} headers tell how the caller stands.
 *
 * <pre>{@code
 * new LimitFilter(limiter, request -> Optional.of(Call.of("api", request.getRemoteAddr())))
 * }</pre>
 */
public final class LimitFilter implements Filter {
    private final RateLimiter limiter;
    private final Function<HttpServletRequest, Optional<Call>> calls;

    /** @param calls what a request spends; empty lets it through unlimited */
    public LimitFilter(RateLimiter limiter, Function<HttpServletRequest, Optional<Call>> calls) {
        this.limiter = limiter;
        this.calls = calls;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest asked) || !(response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        Optional<Decision> decision = calls.apply(asked).map(limiter::tryAcquire);
        decision.ifPresent(made -> RateLimitHeaders.of(made).forEach(answer::setHeader));
        if (decision.isPresent() && decision.get() instanceof Decision.Denied denied) {
            refuse(answer, Refusal.of(denied));
        } else {
            chain.doFilter(request, response);
        }
    }

    private static void refuse(HttpServletResponse answer, Refusal refusal) throws IOException {
        answer.setStatus(refusal.status());
        answer.setContentType(Refusal.CONTENT_TYPE);
        answer.getOutputStream().write(refusal.body().getBytes(UTF_8));
    }
}
