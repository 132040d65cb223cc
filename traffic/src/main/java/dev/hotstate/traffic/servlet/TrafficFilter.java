package dev.hotstate.traffic.servlet;

import dev.hotstate.traffic.Loopback;
import dev.hotstate.traffic.Observed;
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
import java.util.function.Function;

/**
 * Records every request of an application; put it first. A request that goes on asynchronously is recorded when it ends.
 * Requests from this machine itself are not counted, they are mostly probes; {@link #countingLoopback} counts them.
 *
 * <p>A request counts under its route's template: Spring's where there is one, else the pattern that the servlet is mapped
 * to; {@link #withRoutes} takes another way.
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
        if (request instanceof HttpServletRequest asked
                && response instanceof HttpServletResponse answer
                && (loopback || !Loopback.is(request.getRemoteAddr()))) {
            observe(asked, answer, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void observe(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        End end = new End(Observed.arrived(recorder), request, response);
        boolean returned = false;
        try {
            chain.doFilter(request, response);
            returned = true;
        } finally {
            if (!returned) {
                end.with(500);
            } else if (request.isAsyncStarted()) {
                request.getAsyncContext().addListener(end);
            } else {
                end.with(response.getStatus());
            }
        }
    }

    private static String template(HttpServletRequest request) {
        Object spring = request.getAttribute(SPRING_PATTERN);
        return spring == null ? request.getHttpServletMapping().getPattern() : spring.toString();
    }

    /** The end of a request, also of one that goes on after its servlet returned. */
    private final class End implements AsyncListener {
        private final Observed observed;
        private final HttpServletRequest request;
        private final HttpServletResponse response;
        private volatile boolean broken;

        End(Observed observed, HttpServletRequest request, HttpServletResponse response) {
            this.observed = observed;
            this.request = request;
            this.response = response;
        }

        void with(int status) {
            observed.ended(request.getMethod(), routes.apply(request), status);
        }

        /** One that broke while it was answered may have a status that nobody got. */
        @Override
        public void onComplete(AsyncEvent event) {
            with(broken && response.getStatus() < 400 ? 500 : response.getStatus());
        }

        /** What is answered then, by the application or its container, is known when it is complete. */
        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {
            broken = true;
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
