package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hotstate.core.Cron;
import dev.hotstate.core.Flaw;
import dev.hotstate.core.InvalidDocumentException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MonitorDocumentTest {
    @Test
    void whatIsNotSaidHasItsDefault() {
        var monitor = read("{'name':'Shop','type':'http','target':'https://shop.example/'}");

        assertThat(monitor.rhythm()).isEqualTo(Monitor.Rhythm.DEFAULTS);
        assertThat(monitor.interval()).isEqualTo(Duration.ofSeconds(60));
        assertThat(monitor.check().timeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(monitor.check().options().method()).isEqualTo("GET");
        assertThat(monitor.remindEvery()).isNull();
        assertThat(monitor.paused()).isFalse();
    }

    @Test
    void aTimeoutMayBeLongerThanTheInterval() {
        assertThat(read("{'name':'a','type':'tcp','target':'a:1','interval':'2s'}")
                        .check()
                        .timeout())
                .isEqualTo(Duration.ofSeconds(10));
        assertThat(read("{'name':'a','type':'tcp','target':'a:1','interval':'2s','timeout':'30s'}")
                        .check()
                        .timeout())
                .isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void aPushMonitorHasNoTargetAndAGraceOfAtMostItsInterval() {
        var quick = read("{'name':'backup','type':'push','interval':'20s'}");
        var daily = read("{'name':'backup','type':'push','interval':'24h'}");
        var cron = read("{'name':'backup','type':'push','cron':'0 3 * * *','time_zone':'Europe/Berlin','grace':'1h'}");

        assertThat(quick.push()).isEqualTo(new Monitor.Push(Duration.ofSeconds(20), null));
        assertThat(daily.patience()).isEqualTo(Duration.ofMinutes(1));
        assertThat(cron.push()).isEqualTo(new Monitor.Push(Duration.ofHours(1), Cron.of("0 3 * * *", "Europe/Berlin")));
    }

    @Test
    void anIdIsMadeOfTheNameAndIsAnotherEachTime() {
        var document = document("{'name':'Größe & Preise: Shop!','type':'tcp','target':'a:1'}");

        assertThat(document.toMonitor().id())
                .matches("gro-?e-preise-shop-[a-z0-9]{8}")
                .isNotEqualTo(document.toMonitor().id());
        assertThat(read("{'name':'監視','type':'tcp','target':'a:1'}").id()).matches("m-[a-z0-9]{8}");
    }

    @Test
    void everythingThatIsWrongIsToldAtOnce() {
        var flaws = flaws("{'id':'no spaces','type':'carrier-pigeon','interval':'500ms','retries':11,"
                + "'retry_interval':'2h','failure_threshold':0,'success_threshold':101,'tags':['',null],"
                + "'depends_on':['/'],'alerts':['a b'],'remind_every':'1ms'}");

        assertThat(flaws)
                .extracting(Flaw::field)
                .containsExactlyInAnyOrder(
                        "id",
                        "name",
                        "type",
                        "interval",
                        "retries",
                        "retry_interval",
                        "failure_threshold",
                        "success_threshold",
                        "tags[0]",
                        "tags[1]",
                        "depends_on[0]",
                        "alerts[0]",
                        "remind_every");
        assertThat(flaws)
                .contains(
                        new Flaw("name", "is required"),
                        new Flaw("type", "must be one of http, tcp, dns, tls, push, redis, postgres"),
                        new Flaw("interval", "must be from 1s to 31d, not 500ms"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'name':'a','type':'http'}                                              | target
            {'name':'a','type':'http','target':' '}                                 | target
            {'name':'a','type':'push','target':'http://a'}                          | target
            {'name':'a','type':'tcp','target':'a:1','timeout':'99ms'}               | timeout
            {'name':'a','type':'tcp','target':'a:1','timeout':'301s'}               | timeout
            {'name':'a','type':'tcp','target':'a:1','headers':{'A':'b'}}            | headers
            {'name':'a','type':'tcp','target':'a:1','method':'POST'}                | method
            {'name':'a','type':'tcp','target':'a:1','tls':{'verify':false}}         | tls
            {'name':'a','type':'http','target':'http://a','record_type':'MX'}       | record_type
            {'name':'a','type':'http','target':'http://a','cron':'* * * * *'}       | cron
            {'name':'a','type':'push','cron':'* * *'}                               | cron
            {'name':'a','type':'push','time_zone':'UTC'}                            | time_zone
            {'name':'a','type':'push','cron':'* * * * *','time_zone':'Nowhere'}     | time_zone
            {'name':'a','type':'push','grace':'100ms'}                              | grace
            {'name':'a','type':'http','target':'http://a','headers':{'A':null}}     | headers.A
            {'name':'a','type':'http','target':'http://a','auth':{'username':'u'}}  | auth
            {'name':'a','type':'http','target':'http://a','auth':{'bearer':'********'}} | auth.bearer
            {'name':'a','type':'http','target':'http://a','headers':{'Cookie':'********'}} | headers.Cookie
            {'name':'a','type':'redis','target':'redis://:********@a'}              | target
            {'name':'a\\u0007','type':'tcp','target':'a:1'}                         | name
            {'name':'a\\ud800','type':'tcp','target':'a:1'}                         | name
            {'id':'x','name':'a','type':'tcp','target':'a:1','depends_on':['x']}    | depends_on
            {'name':'a','type':'tcp','target':'a:1','assertions':[null]}            | assertions[0]
            """)
    void aFlawNamesItsField(String json, String field) {
        assertThat(flaws(json)).extracting(Flaw::field).containsExactly(field);
    }

    @Test
    void listsAndNamesAreBounded() {
        var many = "[" + "'t%d',".repeat(20).formatted(numbers(20)) + "'more']";
        var base = "{'name':'%s','type':'tcp','target':'a:1','tags':%s,'depends_on':%s,'alerts':%s}";

        assertThat(flaws(base.formatted("n".repeat(201), many, many, many)))
                .extracting(Flaw::toString)
                .containsExactly(
                        "name must be 1 to 200 characters, not 201",
                        "tags must be at most 20, not 21",
                        "depends_on must be at most 20, not 21",
                        "alerts must be at most 20, not 21");
        assertThat(flaws(base.formatted("  ", "[]", "[]", "[]")))
                .extracting(Flaw::toString)
                .containsExactly("name must be 1 to 200 characters, not only spaces");
        assertThat(read(base.formatted("\\ud83d\\ude80".repeat(200), "[]", "[]", "[]"))
                        .name())
                .hasSize(400);
    }

    @Test
    void secretsAreMaskedWhereverTheyStand() {
        var shown = document(
                        "{'name':'a','type':'http','target':'https://a/?token=s3cret&page=2',"
                                + "'auth':{'username':'u','password':'s3cret'},"
                                + "'headers':{'Authorization':'s3cret','X-Api-Key':'s3cret','Cookie':'s3cret','Accept':'text/html'}}")
                .masked();

        assertThat(DocumentJson.write(shown))
                .doesNotContain("s3cret")
                .contains("https://a/?token=********&page=2")
                .contains("\"Accept\":\"text/html\"")
                .contains("\"username\":\"u\"");
        assertThat(read("{'id':'pg','name':'a','type':'postgres','target':'postgres://u:s3cret@db:5432/x'}"))
                .hasToString("Monitor[pg postgres postgres://u:********@db:5432/x]");
    }

    @Test
    void aMaskThatIsSentBackKeepsTheStoredSecret() {
        var stored = read("{'id':'a','name':'a','type':'http','target':'http://a/?key=s3cret',"
                + "'auth':{'username':'u','password':'s3cret'},'headers':{'authorization':'s3cret'}}");
        var sent = document("{'id':'a','name':'b','type':'http','target':'http://a/b?key=********',"
                + "'auth':{'username':'v','password':'********'},'headers':{'Authorization':'********'}}");

        var kept = MonitorDocument.of(sent.withSecretsOf(stored).toMonitor());

        assertThat(kept.name()).isEqualTo("b");
        assertThat(kept.target()).isEqualTo("http://a/b?key=s3cret");
        assertThat(kept.auth()).isEqualTo(new MonitorDocument.Auth("v", "s3cret", null));
        assertThat(kept.headers()).containsEntry("Authorization", "s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/health",
                "http://shop.example/health",
                "https://shop.example:8443/health",
                "https://shop.example.evil.example/health"
            })
    void aMaskDoesNotStandForTheStoredSecretOnAnotherHost(String target) {
        var stored = read("{'name':'Shop','type':'http','target':'https://shop.example/health?token=t0ken',"
                + "'headers':{'Authorization':'Bearer x','Accept':'text/html'},"
                + "'auth':{'username':'me','password':'pa55'}}");
        var sent = document("{'name':'Shop','type':'http','target':'" + target + "?token=********',"
                + "'headers':{'Authorization':'********','Accept':'text/html'},"
                + "'auth':{'username':'me','password':'********'}}");

        var refusal = catchThrowableOfType(InvalidDocumentException.class, () -> sent.withSecretsOf(stored));

        assertThat(refusal.flaws())
                .extracting(Flaw::field)
                .containsExactly("target", "headers.Authorization", "auth.password");
        assertThat(refusal.flaws())
                .allSatisfy(flaw ->
                        assertThat(flaw.message()).contains("write it again").contains("another host"));
    }

    @Test
    void thePasswordOfARedisOrPostgresUrlStaysOnItsHostToo() {
        var stored = read("{'name':'r','type':'redis','target':'redis://u:pa55@cache.example:6379/1'}");
        var same = document("{'name':'r','type':'redis','target':'redis://u:********@cache.example/2'}");
        var other = document("{'name':'r','type':'redis','target':'redis://u:********@evil.example/2'}");
        var otherType =
                document("{'name':'r','type':'postgres','target':'postgres://u:********@cache.example:6379/d'}");

        assertThat(same.withSecretsOf(stored).target()).isEqualTo("redis://u:pa55@cache.example/2");
        for (var elsewhere : List.of(other, otherType)) {
            assertThat(catchThrowableOfType(InvalidDocumentException.class, () -> elsewhere.withSecretsOf(stored))
                            .flaws())
                    .extracting(Flaw::field)
                    .containsExactly("target");
        }
        var inAList = catchThrowableOfType(
                InvalidDocumentException.class,
                () -> MonitorDocument.toMonitors(List.of(same, other), id -> Optional.of(stored)));
        assertThat(inAList.flaws()).extracting(Flaw::field).contains("[1].target");
    }

    @Test
    void aNewSecretReplacesTheStoredOne() {
        var stored = read("{'id':'a','name':'a','type':'redis','target':'redis://u:old@a'}");
        var sent = document("{'id':'a','name':'a','type':'redis','target':'redis://u:new@a'}");

        assertThat(sent.withSecretsOf(stored).target()).isEqualTo("redis://u:new@a");
    }

    @Test
    void aListGivesIdsByNameKeepsPausesAndNamesPlaces() {
        var paused = read("{'id':'web','name':'Web','type':'tcp','target':'a:1','paused':true}");
        var list = Arrays.asList(
                document("{'name':'Web','type':'tcp','target':'a:1'}"),
                document("{'name':'Other One','type':'tcp','target':'a:1'}"));

        var monitors =
                MonitorDocument.toMonitors(list, id -> id.equals("web") ? Optional.of(paused) : Optional.empty());

        assertThat(monitors).extracting(Monitor::id).containsExactly("web", "other-one");
        assertThat(monitors).extracting(Monitor::paused).containsExactly(true, false);
    }

    @Test
    void theFlawsOfAListNameThePlaceInIt() {
        var list = Arrays.asList(
                document("{'id':'a','name':'Web','type':'tcp','target':'a:1'}"),
                null,
                document("{'id':'a','name':'Web','type':'tcp','retries':-1}"));

        var refused = catchThrowableOfType(
                InvalidDocumentException.class, () -> MonitorDocument.toMonitors(list, id -> Optional.empty()));

        assertThat(refused.flaws())
                .containsExactlyInAnyOrder(
                        new Flaw("[1]", "must be an object"),
                        new Flaw("[2].id", "\"a\" is given twice"),
                        new Flaw("[2].target", "is required"),
                        new Flaw("[2].retries", "must be from 0 to 10, not -1"));
    }

    private static Object[] numbers(int count) {
        return IntStream.range(0, count).boxed().toArray();
    }

    private static List<Flaw> flaws(String json) {
        return catchThrowableOfType(InvalidDocumentException.class, () -> read(json))
                .flaws();
    }

    private static Monitor read(String json) {
        return document(json).toMonitor();
    }

    private static MonitorDocument document(String json) {
        return DocumentJson.read(json.replace('\'', '"'), MonitorDocument.class);
    }
}
