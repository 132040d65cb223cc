package dev.hotstate.server.drivers;

import static dev.hotstate.server.drivers.DriversClient.ok;
import static dev.hotstate.server.drivers.DriversClient.refused;
import static dev.hotstate.server.drivers.DriversClient.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where drivers are, what they do and who is free, over HTTP. Each test has a part of the world to itself. */
@ExtendWith(Testkit.class)
class DriverCallsIT {
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
    void aDriverIsKnownFromItsFirstFixOn() {
        var located = client.locate("first", 12.9716, 77.5946);
        assertThat(located.get("status").asText()).isEqualTo("AVAILABLE");
        assertThat(located.get("region").asText()).isEqualTo("default");
        assertThat(located.get("accepted").asBoolean()).isTrue();

        var driver = server.json("/drivers/first");
        assertThat(driver.get("lat").asDouble()).isCloseTo(12.9716, within(1e-5));
        assertThat(driver.get("lon").asDouble()).isCloseTo(77.5946, within(1e-5));
        assertThat(Instant.parse(driver.get("seen_at").asText())).isNotNull();
        assertThat(driver.get("name").isNull()).isTrue();
        assertThat(driver.get("reserved_until").isNull()).isTrue();
        assertThat(client.send("GET", "/drivers/nobody").statusCode()).isEqualTo(404);
    }

    @Test
    void aFixThatIsNotNewerChangesNothing() {
        var path = "/drivers/ordered/location";
        assertThat(accepted(client.send("PATCH", path, "{'lat':1,'lon':1,'seq':5,'heading':90,'speed':30}")))
                .isTrue();
        assertThat(accepted(client.send("PATCH", path, "{'lat':2,'lon':2,'seq':5}")))
                .isFalse();
        assertThat(accepted(client.send("PATCH", path, "{'lat':2,'lon':2,'seq':4}")))
                .isFalse();
        var driver = server.json("/drivers/ordered");
        assertThat(driver.get("lat").asDouble()).isCloseTo(1, within(1e-5));
        assertThat(driver.get("seq").asLong()).isEqualTo(5);
        assertThat(driver.get("heading").asDouble()).isEqualTo(90);
        assertThat(accepted(client.send("PATCH", path, "{'lat':3,'lon':3,'seq':6}")))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'lat':91,'lon':0} | lat",
                "{'lat':'NaN','lon':0} | lat",
                "{'lat':85.06,'lon':180.1} | lat,lon",
                "{'lon':0} | lat",
                "{} | lat,lon",
                "{'lat':'1','lon':0} | lat",
                "{'lat':1,'lon':null} | lon",
                "{'lat':0,'lon':0,'seq':-1} | seq",
                "{'lat':0,'lon':0,'seq':1.5} | seq",
                "{'lat':0,'lon':0,'seq':9007199254740992} | seq",
                "{'lat':0,'lon':0,'at':'yesterday'} | at",
                "{'lat':0,'lon':0,'at':'2200-01-01T00:00:00Z'} | at",
                "{'lat':0,'lon':0,'at':'1969-12-31T00:00:00Z'} | at",
                "{'lat':0,'lon':0,'heading':361,'speed':-1} | heading,speed",
                "{'lat':0,'lon':0,'bearing':7} | bearing",
                "{'lat':0,'lon':0,'lat':1} | lat",
                "[] | ''"
            })
    void aFixThatDoesNotFitIsRefusedByItsFields(String body, String fields) {
        var answer = client.send("PATCH", "/drivers/refused/location", body);
        assertThat(refused(answer)).as(answer.body()).isEqualTo(List.of(fields.split(",")));
        assertThat(client.send("GET", "/drivers/refused").statusCode()).isEqualTo(404);
    }

    @Test
    void aFixFromTheFutureIsRefused() {
        var future = "{'lat':0,'lon':0,'at':'" + Instant.now().plusSeconds(90) + "'}";
        assertThat(refused(client.send("PATCH", "/drivers/early/location", future)))
                .containsExactly("at");
        var batch = ok(
                client.send("POST", "/drivers/locations", "{'items':[" + future.replace("{", "{'id':'early',") + "]}"));
        assertThat(batch.at("/errors/0/field").asText()).isEqualTo("at");
        assertThat(client.send("GET", "/drivers/early").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"available", "summary", "locations", "map", "a%20b"})
    void aWordOfTheApiIsNoDriver(String id) {
        var answer = client.send("PATCH", "/drivers/" + id + "/location", "{'lat':0,'lon':0}");
        assertThat(refused(answer)).containsExactly("id");
    }

    @Test
    void ofABatchOnlyWhatIsWrongIsRefused() {
        var answer = ok(client.send("POST", "/drivers/locations", """
                {'items':[
                  {'id':'b-1','lat':10,'lon':10,'seq':1},
                  {'id':'b-2','lat':91,'lon':10},
                  {'id':'b-1','lat':11,'lon':10,'seq':2},
                  {'lat':1,'lon':1},
                  {'id':'summary','lat':1,'lon':1},
                  'b-4',
                  null,
                  {'id':'b-3','lat':10,'lon':10,'colour':'red'},
                  {'id':'b-5','lat':12,'lon':10}
                ]}"""));
        assertThat(answer.get("accepted").asInt()).isEqualTo(2);
        assertThat(answer.get("ignored").asInt()).isEqualTo(1);
        assertThat(answer.get("refused").asInt()).isEqualTo(6);
        assertThat(texts(answer.get("errors"), "index")).containsExactly("1", "3", "4", "5", "6", "7");
        assertThat(texts(answer.get("errors"), "field")).containsExactly("lat", "id", "id", "", "", "colour");
        assertThat(server.json("/drivers/b-1").get("lat").asDouble()).isCloseTo(11, within(1e-5));
        assertThat(client.status("b-5")).isEqualTo("AVAILABLE");
        assertThat(client.send("GET", "/drivers/b-3").statusCode()).isEqualTo(404);
    }

    @Test
    void aBatchIsOfTenThousandAtMost() {
        var wrong = ok(
                client.send("POST", "/drivers/locations", "{'items':[" + many(10_000, "{'id':'!%d','lat':1}") + "]}"));
        assertThat(wrong.get("refused").asInt()).isEqualTo(10_000);
        assertThat(texts(wrong.get("errors"), "index").stream().distinct()).hasSize(10_000);
        var fits = ok(client.send(
                "POST", "/drivers/locations", "{'items':[" + many(10_000, "{'id':'m-%d','lat':-50,'lon':100}") + "]}"));
        assertThat(fits.get("accepted").asInt()).isEqualTo(10_000);
        assertThat(refused(
                        client.send("POST", "/drivers/locations", "{'items':[" + many(10_001, "{'id':'m-%d'}") + "]}")))
                .containsExactly("items");
        assertThat(refused(client.send("POST", "/drivers/locations", "{}"))).containsExactly("items");
        assertThat(client.send("POST", "/drivers/locations", " ".repeat(4_000_001))
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void theNearestFreeDriversAreFoundInTheirOrder() {
        client.locate("n-far", 20.03, 30);
        client.locate("n-near", 20.01, 30);
        client.locate("n-busy", 20.005, 30);
        client.locate("n-mid", 20.02, 30);
        client.mark("n-busy", "BUSY");
        assertThat(client.found("lat=20&lon=30&radius=5")).containsExactly("n-near", "n-mid", "n-far");
        assertThat(client.found("lat=20&lon=30&radius=5&limit=1")).containsExactly("n-near");
        assertThat(client.found("lat=20&lon=30&radius=1.5")).containsExactly("n-near");

        var answer = server.json("/drivers/available?lat=20&lon=30");
        assertThat(answer.get("source").asText()).isEqualTo("redis");
        assertThat(answer.get("stale_by_ms").asLong()).isZero();
        var nearest = answer.at("/items/0");
        assertThat(nearest.get("distance_km").asDouble()).isCloseTo(1.112, within(0.002));
        assertThat(nearest.has("score")).isFalse();
        assertThat(nearest.has("why")).isFalse();

        client.locate("n-busy", 20.006, 30);
        assertThat(client.status("n-busy")).isEqualTo("BUSY");
        client.mark("n-busy", "AVAILABLE");
        client.mark("n-near", "OFFLINE");
        client.locate("n-near", 20.011, 30);
        assertThat(client.found("lat=20&lon=30&radius=5")).containsExactly("n-busy", "n-mid", "n-far");
    }

    @Test
    void aSearchMayAskForATagAndForTheBest() {
        client.locate("t-1", 30.01, 30);
        client.locate("t-2", 30.02, 30);
        client.describe("t-1", "{'rating':1}");
        var described = client.describe("t-2", "{'name':'Asha','vehicle':'KA 01','rating':5,'tags':['van','pets']}");
        assertThat(described.get("tags")).hasSize(2);
        assertThat(client.found("lat=30&lon=30&tag=van")).containsExactly("t-2");
        assertThat(client.found("lat=30&lon=30&tag=bus")).isEmpty();

        var best = server.json("/drivers/available?lat=30&lon=30&radius=500&sort=score")
                .get("items");
        assertThat(texts(best, "id")).containsExactly("t-2", "t-1");
        assertThat(best.get(0).get("score").asDouble())
                .isCloseTo(sum(best.get(0).get("why")), within(1e-9));
        assertThat(best.get(0).at("/why/rating").asDouble()).isCloseTo(0.15, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lon=0 | lat",
                "lat=91&lon=0 | lat",
                "lat=NaN&lon=0 | lat",
                "lat=x&lon=0 | lat",
                "lat=0&lon=181 | lon",
                "lat=0&lon=0&radius=-1 | radius",
                "lat=0&lon=0&radius=0 | radius",
                "lat=0&lon=0&radius=501 | radius",
                "lat=0&lon=0&limit=0 | limit",
                "lat=0&lon=0&limit=1001 | limit",
                "lat=0&lon=0&tag=a,b | tag",
                "lat=0&lon=0&sort=rating | sort"
            })
    void aSearchThatDoesNotFitIsRefusedByItsField(String query, String field) {
        assertThat(refused(client.send("GET", "/drivers/available?" + query))).containsExactly(field);
    }

    @Test
    void aStatusIsOneOfThree() {
        client.locate("s-1", -10, -10);
        assertThat(refused(client.send("PUT", "/drivers/s-1/status", "{'status':'ASLEEP'}")))
                .containsExactly("status");
        assertThat(refused(client.send("PUT", "/drivers/s-1/status", "{}"))).containsExactly("status");
        assertThat(refused(client.send("GET", "/drivers?status=ASLEEP"))).containsExactly("status");
        assertThat(client.send("PUT", "/drivers/s-nobody/status", "{'status':'BUSY'}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(client.mark("s-1", "BUSY").get("status").asText()).isEqualTo("BUSY");
    }

    @Test
    void aProfileIsPutAsAWholeAndFoundByItsParts() {
        var described =
                client.describe("p-1", "{'name':'Zora Neale','vehicle':'Blue van','rating':4.5,'tags':['van']}");
        assertThat(described.get("status").asText()).isEqualTo("OFFLINE");
        assertThat(described.get("lat").isNull()).isTrue();
        assertThat(texts(server.json("/drivers?q=ora+n").get("items"), "id")).containsExactly("p-1");
        assertThat(texts(server.json("/drivers?q=blue&status=OFFLINE").get("items"), "id"))
                .containsExactly("p-1");
        assertThat(server.json("/drivers?q=blue&status=BUSY").get("items")).isEmpty();

        var back = client.send("PUT", "/drivers/p-1", described.toString());
        assertThat(ok(back).get("rating").asDouble()).isEqualTo(4.5);
        assertThat(client.describe("p-1", "{}").get("name").isNull()).isTrue();
        assertThat(refused(client.send("PUT", "/drivers/p-1", "{'rating':6,'tags':['a b'],'name':''}")))
                .containsExactly("name", "rating", "tags[0]");
        assertThat(refused(client.send("PUT", "/drivers/p-1", "{'tags':[null]}")))
                .containsExactly("tags[0]");
        assertThat(refused(client.send("PUT", "/drivers/p-1", "{'nick':'Z'}"))).containsExactly("nick");
    }

    @Test
    void driversAreListedPageByPage() {
        for (int i = 0; i < 5; i++) {
            client.describe("l-" + i, "{'vehicle':'listed here'}");
        }
        var first = server.json("/drivers?q=listed+here&limit=3");
        assertThat(texts(first.get("items"), "id")).containsExactly("l-0", "l-1", "l-2");
        var rest = server.json("/drivers?q=listed+here&limit=3&cursor="
                + first.get("next_cursor").asText());
        assertThat(texts(rest.get("items"), "id")).containsExactly("l-3", "l-4");
        assertThat(rest.get("next_cursor").isNull()).isTrue();
        assertThat(refused(client.send("GET", "/drivers?limit=0"))).containsExactly("limit");
        assertThat(refused(client.send("GET", "/drivers?cursor=a%2Fb"))).containsExactly("cursor");
    }

    @Test
    void aMapShowsDriversOrHowManyStandTogether() {
        client.locate("map-1", -33.01, 151.01);
        client.locate("map-2", -33.02, 151.02);
        client.mark("map-2", "BUSY");
        Eventually.until("PostgreSQL has both", () -> {
            var items = server.json("/drivers/map?south=-34&west=150&north=-32&east=152")
                    .get("items");
            return items.size() == 2 && sum(items, "busy") == 1 && sum(items, "available") == 1;
        });
        var items = server.json("/drivers/map?south=-34&west=150&north=-32&east=152")
                .get("items");
        assertThat(texts(items, "id")).containsExactlyInAnyOrder("map-1", "map-2");
        assertThat(items.get(0).get("count").asInt()).isEqualTo(1);

        var crowd = many(3_000, "{'id':'c-%d','lat':-60.5,'lon':-179.5}");
        ok(client.send("POST", "/drivers/locations", "{'items':[" + crowd + "]}"));
        Eventually.until("PostgreSQL has the crowd", () -> {
            var seen = server.json("/drivers/map?south=-61&west=179&north=-60&east=-179&cells=4")
                    .get("items");
            return sum(seen, "count") == 3_000 && seen.size() == 1;
        });
        assertThat(refused(client.send("GET", "/drivers/map?south=1&west=0&north=0&east=1")))
                .containsExactly("south");
        assertThat(refused(client.send("GET", "/drivers/map?west=0&north=0&east=1")))
                .containsExactly("south");
        assertThat(refused(client.send("GET", "/drivers/map?south=0&west=0&north=1&east=1&cells=65")))
                .containsExactly("cells");
    }

    @Test
    void theSummaryCountsByStatusAndRegion() {
        client.locate("sum-1", 45, 45);
        client.mark("sum-1", "BUSY");
        Eventually.until("a busy one is counted", () -> {
            var summary = server.json("/drivers/summary");
            return summary.get("busy").asInt() >= 1
                    && summary.get("total").asInt()
                            == summary.get("available").asInt()
                                    + summary.get("busy").asInt()
                                    + summary.get("offline").asInt()
                    && texts(summary.get("regions"), "region").contains("default")
                    && summary.has("updates_per_second");
        });
    }

    @Test
    void aChangeOfStatusIsTold() {
        client.locate("told", 50, 50);
        try (var events = server.listen("drivers")) {
            client.mark("told", "BUSY");
            events.awaitInOrder("drivers.status");
        }
    }

    @Test
    void theHealthOfDriversIsTold() {
        var part = server.part("drivers");
        assertThat(part.get("status").asText()).isEqualTo("up");
        assertThat(part.get("figures").has("write_behind")).isTrue();
    }

    private static boolean accepted(HttpResponse<String> answer) {
        return ok(answer).get("accepted").asBoolean();
    }

    private static double sum(JsonNode why) {
        double sum = 0;
        for (var part : why) {
            sum += part.asDouble();
        }
        return sum;
    }

    private static long sum(JsonNode items, String field) {
        long sum = 0;
        for (var item : items) {
            sum += item.get(field).asLong();
        }
        return sum;
    }

    private static String many(int count, String item) {
        return IntStream.range(0, count).mapToObj(i -> item.formatted(i)).collect(Collectors.joining(","));
    }
}
