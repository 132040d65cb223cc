package dev.hotstate.traffic.helidon;

import dev.hotstate.traffic.DoorContract;
import dev.hotstate.traffic.Recorder;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;

class TrafficFeatureIT extends DoorContract {
    private WebServer server;

    @Override
    protected int listen(Recorder recorder, boolean loopback) {
        var feature = new TrafficFeature(recorder);
        server = WebServer.builder()
                .routing(HttpRouting.builder()
                        .addFeature(loopback ? feature.countingLoopback() : feature)
                        .get("/things/{id}", (request, response) -> response.send("a thing"))
                        .get("/broken", (request, response) -> {
                            throw new IllegalStateException("broken on purpose");
                        }))
                .build()
                .start();
        return server.port();
    }

    @Override
    protected String thing() {
        return "/things/{id}";
    }

    @Override
    protected void stop() {
        server.stop();
    }
}
