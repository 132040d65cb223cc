package dev.hotstate.server.drivers;

import static dev.hotstate.server.RunningServer.tree;
import static dev.hotstate.server.drivers.DriversClient.ok;
import static dev.hotstate.server.drivers.DriversClient.refused;
import static dev.hotstate.server.drivers.DriversClient.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A driver for a while, and regions, over HTTP. Each test has a part of the world to itself. */
@ExtendWith(Testkit.class)
class DriverReservationsIT {
    private static RunningServer server;
    private static DriversClient client;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        server = RunningServer.on(redis.uri(), database, DriversClient.PATIENT);
        client = new DriversClient(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theNearestIsHeldAndConfirmed() {
        client.locate("c-far", 10.02, 10);
        client.locate("c-near", 10.01, 10);
        var held = reserved("{'lat':10,'lon':10,'radius':5,'lease':'1m','holder':'trip-7'}")
                .get(0);
        assertThat(held.at("/driver/id").asText()).isEqualTo("c-near");
        assertThat(held.at("/driver/distance_km").asDouble()).isBetween(1.1, 1.2);
        assertThat(Instant.parse(held.get("expires_at").asText())).isAfter(Instant.now());
        assertThat(client.found("lat=10&lon=10")).containsExactly("c-far");
        assertThat(server.json("/drivers/c-near").get("reserved_until").isNull())
                .isFalse();

        assertThat(confirm(held, "1-none").statusCode()).isEqualTo(409);
        assertThat(tree(confirm(held, "1-none")).get("type").asText()).endsWith("stale-fence");
        assertThat(client.status("c-near")).isEqualTo("AVAILABLE");
        assertThat(ok(confirm(held, fence(held))).get("state").asText()).isEqualTo("CONFIRMED");
        assertThat(ok(confirm(held, fence(held))).get("reservation")).isEqualTo(held.get("reservation"));
        assertThat(client.status("c-near")).isEqualTo("BUSY");
        assertThat(cancel(held, fence(held)).statusCode()).isEqualTo(409);
    }

    @Test
    void whoIsLetGoIsFoundAgain() {
        client.locate("g-1", 11, 11);
        var held = reserved("{'lat':11,'lon':11}").get(0);
        assertThat(client.found("lat=11&lon=11")).isEmpty();
        assertThat(client.send("POST", "/reservations", "{'lat':11,'lon':11}").statusCode())
                .isEqualTo(404);
        assertThat(cancel(held, fence(held)).statusCode()).isEqualTo(204);
        Eventually.until("it is free", () -> client.found("lat=11&lon=11").equals(List.of("g-1")));
        assertThat(confirm(held, fence(held)).statusCode()).isEqualTo(409);
    }

    @Test
    void aLeaseThatLapsesFreesByItself() {
        client.locate("lapse", 12, 12);
        var held = reserved("{'lat':12,'lon':12,'lease':'1s'}").get(0);
        Eventually.until("it is free", () -> client.found("lat=12&lon=12").contains("lapse"));
        assertThat(confirm(held, fence(held)).statusCode()).isEqualTo(409);
    }

    @Test
    void severalAreHeldAtOnceAndFewerIfThereAreNoMore() {
        for (int i = 1; i <= 3; i++) {
            client.locate("many-" + i, 13 + i / 1000.0, 13);
        }
        var held = reserved("{'lat':13,'lon':13,'count':5}");
        assertThat(held).hasSize(3);
        assertThat(texts(held, "reservation")).doesNotHaveDuplicates();
        client.locate("tagged", 14, 14);
        client.describe("tagged", "{'tags':['van']}");
        assertThat(client.send("POST", "/reservations", "{'lat':14,'lon':14,'tag':'bus'}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(reserved("{'lat':14,'lon':14,'tag':'van'}")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'lon':0} | lat",
                "{'lat':91,'lon':0} | lat",
                "{'lat':0,'lon':0,'radius':-1} | radius",
                "{'lat':0,'lon':0,'radius':0} | radius",
                "{'lat':0,'lon':0,'radius':501} | radius",
                "{'lat':0,'lon':0,'count':0} | count",
                "{'lat':0,'lon':0,'count':101} | count",
                "{'lat':0,'lon':0,'lease':'999ms'} | lease",
                "{'lat':0,'lon':0,'lease':'61m'} | lease",
                "{'lat':0,'lon':0,'lease':30} | lease",
                "{'lat':0,'lon':0,'holder':''} | holder",
                "{'lat':0,'lon':0,'holder':'0123456789012345678901234567890123456789012345678901234567890123x'} | holder",
                "{'lat':0,'lon':0,'tag':'a b'} | tag",
                "{'lat':0,'lon':0,'until':'1m'} | until"
            })
    void aWishThatDoesNotFitIsRefusedByItsField(String body, String field) {
        assertThat(refused(client.send("POST", "/reservations", body))).containsExactly(field);
    }

    @Test
    void aFenceMustBeShown() {
        assertThat(refused(client.send("POST", "/reservations/none/confirm", "{}")))
                .containsExactly("fence");
        assertThat(refused(client.send("DELETE", "/reservations/none"))).containsExactly("fence");
        assertThat(client.send("POST", "/reservations/none/confirm", "{'fence':'1'}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(client.send("DELETE", "/reservations/none?fence=1").statusCode())
                .isEqualTo(404);
    }

    @Test
    void aRegionHoldsTheDriversWithinIt() {
        assertThat(client.send("PUT", "/regions/east", "{'box':{'south':40,'west':40,'north':41,'east':41}}")
                        .statusCode())
                .isEqualTo(201);
        var put = client.send("PUT", "/regions/west", "{'shape':[[40,39],[40,40],[41,40],[41,39]]}");
        assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
        assertThat(put.headers().firstValue("Location")).contains("/regions/west");
        assertThat(client.send("PUT", "/regions/west", put.body()).statusCode()).isEqualTo(200);
        assertThat(texts(server.json("/regions").get("items"), "id")).contains("default", "east", "west");
        assertThat(server.json("/regions/east").get("shape").get(0).get(0).asDouble())
                .isEqualTo(40);

        assertThat(located("r-1", 40.5, 39.99)).isEqualTo("west");
        assertThat(located("r-2", 40.5, 40.01)).isEqualTo("east");
        assertThat(client.found("lat=40.5&lon=40&radius=10")).containsExactly("r-1", "r-2");
        assertThat(located("r-1", 40.5, 40.02)).isEqualTo("east");
        assertThat(client.found("lat=40.5&lon=40&radius=10")).containsExactly("r-2", "r-1");
        assertThat(server.json("/drivers/r-1").get("region").asText()).isEqualTo("east");

        assertThat(client.send("DELETE", "/regions/west").statusCode()).isEqualTo(204);
        assertThat(client.send("DELETE", "/regions/west").statusCode()).isEqualTo(404);
    }

    private String located(String id, double lat, double lon) {
        String[] region = new String[1];
        // A region that is new is made ready first.
        Eventually.until(id + " is located", () -> {
            var answer = client.send("PATCH", "/drivers/" + id + "/location", "{'lat':" + lat + ",'lon':" + lon + "}");
            region[0] = tree(answer).path("region").asText();
            return answer.statusCode() == 200;
        });
        return region[0];
    }

    @Test
    void aRegionThatDoesNotFitIsRefused() {
        assertThat(refused(client.send("PUT", "/regions/x", "{'shape':[[0,0],[0,1],[1,1]]}")))
                .containsExactly("id");
        assertThat(refused(client.send("PUT", "/regions/default", "{'shape':[[0,0],[0,1],[1,1]]}")))
                .containsExactly("id");
        assertThat(refused(client.send("PUT", "/regions/none", "{}"))).containsExactly("");
        assertThat(refused(client.send("PUT", "/regions/none", "{'shape':[[0,0],[0]]}")))
                .containsExactly("shape[1]");
        assertThat(refused(client.send("PUT", "/regions/none", "{'shape':[[0,0],[0,1],[91,1]]}")))
                .allMatch(field -> field.startsWith("shape[2]"));
        assertThat(refused(client.send("PUT", "/regions/none", "{'shape':[[0,0],[0,1]]}")))
                .containsExactly("shape");
        assertThat(refused(client.send("PUT", "/regions/none", "{'box':{'south':1,'north':2,'east':3}}")))
                .containsExactly("box.west");
        assertThat(refused(client.send("PUT", "/regions/none", "{'box':{'south':1,'west':2,'north':0,'east':3}}")))
                .allMatch(field -> field.startsWith("box."));
        assertThat(client.send("GET", "/regions/none").statusCode()).isEqualTo(404);
        assertThat(client.send("DELETE", "/regions/none").statusCode()).isEqualTo(404);
        assertThat(client.send("DELETE", "/regions/default").statusCode()).isEqualTo(409);
    }

    private static JsonNode reserved(String body) {
        var answer = client.send("POST", "/reservations", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return tree(answer).get("items");
    }

    private static HttpResponse<String> confirm(JsonNode held, String fence) {
        return client.send(
                "POST", "/reservations/" + held.get("reservation").asText() + "/confirm", "{'fence':'" + fence + "'}");
    }

    private static HttpResponse<String> cancel(JsonNode held, String fence) {
        return client.send("DELETE", "/reservations/" + held.get("reservation").asText() + "?fence=" + fence);
    }

    private static String fence(JsonNode held) {
        return held.get("fence").asText();
    }
}
