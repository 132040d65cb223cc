package dev.hotstate.limits.helidon;

import dev.hotstate.limits.DoorContract;
import dev.hotstate.limits.RateLimiter;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;

class LimitFeatureIT extends DoorContract {
    private WebServer server;

    @Override
    protected int listen(RateLimiter limiter) {
        var user = HeaderNames.create("X-User");
        var feature = new LimitFeature(
                limiter, request -> callOf(request.headers().first(user).orElse(null)));
        server = WebServer.builder()
                .routing(HttpRouting.builder()
                        .addFeature(feature)
                        .get("/hello", (request, response) -> response.send("hello")))
                .build()
                .start();
        return server.port();
    }

    @Override
    protected void stop() {
        server.stop();
    }
}
