package dev.hotstate.server.monitors;

import static dev.hotstate.server.RunningServer.tree;
import static dev.hotstate.server.monitors.MonitorsClient.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is answered about monitors while Redis or PostgreSQL is away, and that it comes right. */
class MonitorsOutageIT {
    private static RedisServer redis;
    private static TcpProxy proxy;
    private static PostgresServer postgres;
    private static RunningServer server;
    private static MonitorsClient client;
    private static Watched target;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        proxy = TcpProxy.to(redis.port());
        postgres = PostgresServer.start();
        server = RunningServer.on(
                "redis://127.0.0.1:" + proxy.port(),
                postgres.freshDatabase(),
                Map.of("HOTSTATE_POSTGRES_TIMEOUT", "1s", "HOTSTATE_REDIS_TIMEOUT", "1s"));
        client = new MonitorsClient(server);
        target = new Watched();
    }

    @AfterAll
    static void stop() {
        server.close();
        proxy.close();
        redis.close();
        postgres.close();
        target.close();
    }

    @Test
    void withoutRedisNothingIsShownAsUpAndWhatIsMadeIsCheckedLater() {
        client.create("{'id':'known','name':'Known','type':'http','target':'%s'}".formatted(target.url("/")));
        client.awaitState("known", "up");
        proxy.cut();
        assertThat(server.get("/monitors/summary").statusCode()).isEqualTo(503);
        assertThat(server.get("/status-page").statusCode()).isEqualTo(503);
        var made = client.create(
                "{'id':'later','name':'Later','type':'http','target':'%s','interval':'1s'}".formatted(target.url("/")));
        assertThat(made.get("state").isNull()).isTrue();
        assertThat(server.get("/monitors").statusCode()).isEqualTo(503);
        assertThat(server.get("/badge/later.svg").statusCode()).isEqualTo(503);
        proxy.restore();
        Eventually.until(
                "it is checked", () -> server.get("/monitors/later").body().contains("\"state\":\"up\""));
    }

    @Test
    void withoutPostgresLiveStateIsShownAndAnOutageIsToldWhenItIsBack() {
        client.send("PUT", "/channels/late", "{'type':'webhook','url':'" + target.url("/hook-late") + "'}");
        client.create(
                "{'id':'watched','name':'Live','type':'http','target':'%s','interval':'1s','retries':0,'alerts':['late']}"
                        .formatted(target.url("/")));
        client.awaitState("watched", "up");
        postgres.pause();
        try {
            target.answers(503);
            Eventually.until(
                    "it is seen to be down",
                    () -> texts(server.json("/monitors?state=down").get("items"), "id")
                            .contains("watched"));
            assertThat(server.get("/monitors/summary").statusCode()).isEqualTo(200);
            var refused = client.send("POST", "/monitors", "{'name':'New','type':'tcp','target':'a:1'}");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(tree(refused).get("detail").asText()).contains("PostgreSQL");
        } finally {
            postgres.resume();
        }
        Eventually.until("the outage is told", () -> target.heard("/hook-late").size() == 1);
        assertThat(target.heard("/hook-late").getFirst().body()).contains("incident.opened");
        target.answers(200);
    }
}
