package dev.hotstate.traffic.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.traffic.DoorContract;
import dev.hotstate.traffic.Line;
import dev.hotstate.traffic.Recorder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;

/** Its things are answered asynchronously, so that their end is not the servlet's. */
class TrafficFilterIT extends DoorContract {
    private Server server;

    @Override
    protected int listen(Recorder recorder, boolean loopback) throws Exception {
        server = new Server(0);
        var context = new ServletContextHandler("/");
        var filter = loopback ? new TrafficFilter(recorder).countingLoopback() : new TrafficFilter(recorder);
        var filterHolder = new FilterHolder(filter);
        filterHolder.setAsyncSupported(true);
        context.addFilter(filterHolder, "/*", EnumSet.of(DispatcherType.REQUEST));
        var things = new ServletHolder(new Things());
        things.setAsyncSupported(true);
        context.addServlet(things, "/things/*");
        context.addServlet(new ServletHolder(new Broken()), "/broken");
        server.setHandler(context);
        server.start();
        return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    @Override
    protected String thing() {
        return "/things/*";
    }

    @Override
    protected void stop() throws Exception {
        server.stop();
    }

    @Test
    void aRequestThatNobodyAnswersOrThatFailsLaterCountsWithTheStatusThatWasSent() throws Exception {
        int port = listen(traffic.recorder(), true);
        int late = get(port, "/things/late").statusCode();
        int failing = get(port, "/things/failing").statusCode();

        assertThat(late).isGreaterThanOrEqualTo(500);
        assertThat(failing).isGreaterThanOrEqualTo(500);
        Eventually.until(
                "both are counted", () -> requests().get("GET /things/*") instanceof Line line && line.errors() == 2);
        assertThat(traffic.summary().errorsByStatus())
                .isEqualTo(Stream.of(late, failing)
                        .collect(Collectors.groupingBy(status -> status, TreeMap::new, Collectors.counting())));
        assertThat(traffic.summary().connections().current()).isZero();
    }

    private static final class Things extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            var async = request.startAsync();
            if (request.getPathInfo().equals("/late")) {
                async.setTimeout(200);
                return;
            }
            if (request.getPathInfo().equals("/failing")) {
                async.dispatch("/broken");
                return;
            }
            async.start(() -> {
                try {
                    async.getResponse().getWriter().print("a thing");
                } catch (IOException gone) {
                    throw new IllegalStateException(gone);
                } finally {
                    async.complete();
                }
            });
        }
    }

    private static final class Broken extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            throw new IllegalStateException("broken on purpose");
        }
    }
}
