package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever a document says, it is kept as it is understood, and understood as it is kept. */
class MonitorDocumentPropertiesTest {
    private static final Map<String, List<String>> TARGETS = Map.of(
            "http", List.of("http://a.example/", "https://b.example:8443/x?page=1&token=abc"),
            "tcp", List.of("a.example:80", "10.0.0.1:22"),
            "dns", List.of("a.example"),
            "tls", List.of("a.example:443"),
            "redis", List.of("redis://a.example:6379", "rediss://u:p%40ss@a.example:6380/1"),
            "postgres", List.of("postgres://u:secret@db.example:5432/x"));

    @Property(tries = 500)
    void aMonitorIsItsDocument(@ForAll("documents") MonitorDocument document) {
        var monitor = document.toMonitor();
        var whole = MonitorDocument.of(monitor);

        var back = DocumentJson.read(DocumentJson.write(whole), MonitorDocument.class);

        assertThat(back).isEqualTo(whole);
        assertThat(MonitorDocument.of(back.toMonitor())).isEqualTo(whole);
        assertThat(back.toMonitor().rhythm()).isEqualTo(monitor.rhythm());
        assertThat(back.toMonitor().push()).isEqualTo(monitor.push());
        assertThat(back.toMonitor().check().options()).isEqualTo(monitor.check().options());
    }

    @Property(tries = 500)
    void whatWasShownAndIsSentBackChangesNothing(@ForAll("documents") MonitorDocument document) {
        var stored = document.toMonitor();
        var whole = MonitorDocument.of(stored);

        assertThat(whole.masked().withSecretsOf(stored)).isEqualTo(whole);
    }

    @Provide
    Arbitrary<MonitorDocument> documents() {
        return Arbitraries.of("http", "tcp", "dns", "tls", "redis", "postgres", "push")
                .flatMap(type -> Combinators.combine(
                                common(), target(type), lists(), maps(), Arbitraries.of(true, false))
                        .as((common, target, lists, headers, full) ->
                                document(type, common, target, lists, headers, full)));
    }

    private record Common(String name, Duration interval, Duration timeout, int count) {}

    private static Arbitrary<Common> common() {
        return Combinators.combine(
                        Arbitraries.strings()
                                .ofMinLength(1)
                                .ofMaxLength(40)
                                .withCharRange(' ', '~')
                                .withChars("äß監🚀")
                                .map(text -> "n" + text.replaceAll("[\\ud800-\\udfff]", "")),
                        Arbitraries.longs().between(1, 31 * 86_400).map(Duration::ofSeconds),
                        Arbitraries.longs().between(100, 300_000).map(Duration::ofMillis),
                        Arbitraries.integers().between(1, 10))
                .as(Common::new);
    }

    private static Arbitrary<String> target(String type) {
        return type.equals("push") ? Arbitraries.just("") : Arbitraries.of(TARGETS.get(type));
    }

    private static Arbitrary<List<String>> lists() {
        return Arbitraries.strings()
                .alpha()
                .numeric()
                .ofMinLength(1)
                .ofMaxLength(20)
                .list()
                .ofMaxSize(5);
    }

    private static Arbitrary<Map<String, String>> maps() {
        return Arbitraries.maps(
                        Arbitraries.of("Accept", "Authorization", "X-Token", "cookie", "X-Trace"),
                        Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(10))
                .ofMaxSize(4);
    }

    private static MonitorDocument document(
            String type, Common common, String target, List<String> list, Map<String, String> headers, boolean full) {
        boolean http = type.equals("http");
        boolean push = type.equals("push");
        boolean dns = type.equals("dns");
        return new MonitorDocument(
                full ? "some.id" : null,
                common.name(),
                type,
                push ? null : target,
                full ? common.interval() : null,
                full ? common.timeout() : null,
                full ? common.count() : null,
                full ? Duration.ofSeconds(common.count()) : null,
                full ? common.count() : null,
                full ? common.count() : null,
                full && http ? List.of("status == 200", "latency < 500ms") : null,
                full && http ? "POST" : null,
                http ? new TreeMap<>(headers) : null,
                full && http ? "line\n\"quoted\" \u0000 ä" : null,
                http && common.count() > 5
                        ? full
                                ? new MonitorDocument.Auth("user", "pass:word", null)
                                : new MonitorDocument.Auth(null, null, "token")
                        : null,
                full && http ? common.count() : null,
                full && http ? new MonitorDocument.Tls(common.count() % 2 == 0, "name.example", null) : null,
                full && dns ? "MX" : null,
                full && dns ? "10.0.0.53" : null,
                full && push ? "*/5 2 * * 1-5" : null,
                full && push ? "Europe/Berlin" : null,
                full && push ? Duration.ofSeconds(common.count()) : null,
                new ArrayList<>(list),
                new ArrayList<>(list),
                new ArrayList<>(list),
                full ? common.interval() : null,
                full ? common.count() > 5 : null);
    }
}
