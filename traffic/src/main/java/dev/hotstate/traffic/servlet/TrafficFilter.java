package dev.hotstate.traffic.servlet;

import dev.hotstate.traffic.Loopback;
import dev.hotstate.traffic.Recorder;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Records every request of an application; put it first. A request that goes on asynchronously is recorded when it ends.
 * Requests from this machine itself are not counted: they are mostly probes. {@link #countingLoopback} counts them.
 *
 * <p>A request is counted under its route's template. Spring's is used where there is one, else the pattern that the
 * servlet is mapped to; {@link #withRoutes} takes another way.
 */
public final class TrafficFilter implements Filter {
    private static final String SPRING_PATTERN = "org.springframework.web.servlet.HandlerMapping.bestMatchingPattern";

    private final Recorder recorder;
    private final Function<HttpServletRequest, String> routes;
    private final boolean loopback;

    public TrafficFilter(Recorder recorder) {
        this(recorder, TrafficFilter::template, false);
    }

    private TrafficFilter(Recorder recorder, Function<HttpServletRequest, String> routes, boolean loopback) {
        this.recorder = recorder;
        this.routes = routes;
        this.loopback = loopback;
    }

    /** @param template tells a request's route once it was answered; never a path with ids in it */
    public TrafficFilter withRoutes(Function<HttpServletRequest, String> template) {
        return new TrafficFilter(recorder, template, loopback);
    }

    /** Counts requests from this machine too. */
    public TrafficFilter countingLoopback() {
        return new TrafficFilter(recorder, routes, true);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean counted = request instanceof HttpServletRequest
                && response instanceof HttpServletResponse
                && (loopback || !Loopback.is(request.getRemoteAddr()));
        if (!counted) {
            chain.doFilter(request, response);
            return;
        }
        Observed observed = new Observed((HttpServletRequest) request, (HttpServletResponse) response);
        boolean returned = false;
        try {
            chain.doFilter(request, response);
            returned = true;
        } finally {
            if (!returned) {
                observed.ended(500);
            } else if (request.isAsyncStarted()) {
                request.getAsyncContext().addListener(observed);
            } else {
                observed.ended(observed.response.getStatus());
            }
        }
    }

    private static String template(HttpServletRequest request) {
        Object spring = request.getAttribute(SPRING_PATTERN);
        if (spring != null) {
            return spring.toString();
        }
        String pattern = request.getHttpServletMapping().getPattern();
        return pattern.startsWith("/") ? pattern : "unmatched";
    }

    /** One request from its arrival to its end, whichever of its ends comes first. */
    private final class Observed implements AsyncListener {
        private final HttpServletRequest request;
        private final HttpServletResponse response;
        private final long start = System.nanoTime();
        private final AtomicBoolean ended = new AtomicBoolean();

        Observed(HttpServletRequest request, HttpServletResponse response) {
            this.request = request;
            this.response = response;
            recorder.began();
        }

        void ended(int status) {
            if (ended.compareAndSet(false, true)) {
                recorder.ended();
                recorder.record(
                        request.getMethod(),
                        routes.apply(request),
                        status,
                        Duration.ofNanos(System.nanoTime() - start));
            }
        }

        @Override
        public void onComplete(AsyncEvent event) {
            ended(response.getStatus());
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            ended(503);
        }

        @Override
        public void onError(AsyncEvent event) {
            ended(500);
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
