package dev.hotstate.limits.servlet;

import dev.hotstate.limits.DoorContract;
import dev.hotstate.limits.RateLimiter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

class LimitFilterIT extends DoorContract {
    private Server server;

    @Override
    protected int listen(RateLimiter limiter) throws Exception {
        server = new Server(0);
        var context = new ServletContextHandler("/");
        var filter = new LimitFilter(limiter, request -> callOf(request.getHeader("X-User")));
        context.addFilter(new FilterHolder(filter), "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new ServletHolder(new Hello()), "/*");
        server.setHandler(context);
        server.start();
        return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    @Override
    protected void stop() throws Exception {
        server.stop();
    }

    private static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("hello");
        }
    }
}
