package dev.hotstate.monitors.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.monitors.check.CheckSpec.Tls;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Rcode;

@Timeout(60)
class DnsCheckIT {
    private TinyNameServer names;
    private Checker checker;

    @BeforeEach
    void start() throws IOException {
        names = TinyNameServer.start();
        checker = Checker.open(CheckerOptions.DEFAULTS.askingNames(names.address()), InstantSource.system());
    }

    @AfterEach
    void stop() {
        checker.close();
        names.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            A     | 10.0.0.1                                  | 10.0.0.1
            AAAA  | 2001:db8::1                               | 2001:db8:0:0:0:0:0:1
            CNAME | other.example.                            | other.example
            MX    | 10 mail.example.                          | 10 mail.example
            TXT   | "v=spf1 " "-all"                          | v=spf1 -all
            NS    | ns1.example.                              | ns1.example
            SOA   | ns1.example. admin.example. 1 2 3 4 5     | ns1.example admin.example 1 2 3 4 5
            SRV   | 1 2 443 www.example.                      | 1 2 443 www.example
            CAA   | 0 issue "ca.example"                      | 0 issue "ca.example"
            """)
    void everyTypeIsAskedForAndItsAnswerIsText(String type, String data, String text) {
        names.with("www.example", type, data);
        String answer = text.replace("\"", "\\\"");
        assertThat(check("www.example", type, null, "dns.answers == [\"" + answer + "\"]")
                        .error())
                .isNull();
    }

    @Test
    void ofAnAddressItsNameIsAskedFor() {
        names.with("1.0.0.10.in-addr.arpa", "PTR", "host.example.");
        assertThat(check("10.0.0.1", "PTR", null, "dns.answers contains \"host.example\"")
                        .error())
                .isNull();
    }

    @Test
    void answersAreComparedInAnyOrderAndShownWhenTheyDiffer() {
        names.with("www.example", "A", "10.0.0.2", "10.0.0.1");
        assertThat(check("www.example", "A", null, "dns.answers == [\"10.0.0.1\", \"10.0.0.2\"]")
                        .error())
                .isNull();
        assertThat(check("www.example", "A", null, "dns.answers matches \"^10[.]\"")
                        .error())
                .isNull();
        assertThat(check("www.example", "A", null, "dns.answers contains \"10.0.0.3\"")
                        .error())
                .isEqualTo("dns.answers was [\"10.0.0.2\", \"10.0.0.1\"], expected contains \"10.0.0.3\"");
    }

    @Test
    void noAnswerIsAFailure() {
        names.with("www.example", "A", "10.0.0.1");
        assertThat(check("www.example", "MX", null).error()).isEqualTo("dns.answers was [], expected != []");
    }

    @Test
    void aNameThatIsNotThereIsNotAskedForAgainAndAFailingServerIs() {
        names.failing("broken.example", Rcode.SERVFAIL);
        Outcome missing = check("missing.example", "A", null);
        assertThat(missing.error()).isEqualTo("there is no such name (NXDOMAIN), asked for the A of missing.example");
        assertThat(missing.retryable()).isFalse();
        Outcome broken = check("broken.example", "A", null);
        assertThat(broken.error()).isEqualTo("the name server answered SERVFAIL, asked for the A of broken.example");
        assertThat(broken.retryable()).isTrue();
    }

    @Test
    void aResolverOfItsOwnIsAsked() throws IOException {
        try (var own = TinyNameServer.start().with("www.example", "A", "10.9.9.9")) {
            assertThat(check("www.example", "A", own.address(), "dns.answers == \"10.9.9.9\"")
                            .error())
                    .isNull();
        }
    }

    @Test
    void aResolverAtABannedAddressIsNotAsked() {
        assertThat(check("www.example", "A", "169.254.169.254").error())
                .startsWith("169.254.169.254 must not be asked");
    }

    @Test
    void aSilentNameServerEndsWithTheDeadline() throws IOException {
        try (var silent = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            var spec = new CheckSpec(
                    CheckType.DNS, "www.example", Duration.ofMillis(400), List.of(), options("A", address));
            assertThat(checker.check(spec).error())
                    .isEqualTo("timed out after 400ms while asking for the A of www.example");
            try (var deaf = Checker.open(CheckerOptions.DEFAULTS.askingNames(address), InstantSource.system())) {
                Outcome outcome = deaf.check(CheckSpec.of(CheckType.TCP, "www.example:80", Duration.ofMillis(400)));
                assertThat(outcome.error()).isEqualTo("timed out after 400ms while resolving www.example");
                assertThat(outcome.retryable()).isTrue();
            }
        }
    }

    @Test
    void theNameOfATargetIsResolvedAndItsTimeTold() {
        names.with("www.example", "A", "127.0.0.1");
        try (var server = RawServer.answering("HTTP/1.1 204 Fine\r\n\r\n")) {
            Outcome outcome = http("http://www.example:" + server.port());
            assertThat(outcome.error()).isNull();
            assertThat(outcome.phases().dnsMs()).isPositive();
        }
    }

    @Test
    void aTargetWhoseNameDoesNotResolveIsTold() {
        names.failing("broken.example", Rcode.SERVFAIL);
        names.with("mail.example", "MX", "10 mail.example.");
        assertThat(http("http://missing.example").error())
                .isEqualTo("missing.example does not resolve: there is no such name");
        assertThat(http("http://missing.example").retryable()).isFalse();
        assertThat(http("http://broken.example").error())
                .isEqualTo("broken.example does not resolve: its name servers fail or are silent");
        assertThat(http("http://broken.example").retryable()).isTrue();
        assertThat(http("http://mail.example").error()).isEqualTo("mail.example has no address");
    }

    @Test
    void aNameThatLeadsToABannedAddressIsRefusedForEveryType() {
        names.with("evil.example", "A", "169.254.169.254");
        for (String target : List.of(
                "http http://evil.example/",
                "tcp evil.example:80",
                "tls evil.example",
                "redis redis://evil.example",
                "postgres postgres://me@evil.example")) {
            CheckType type = CheckType.valueOf(target.split(" ")[0].toUpperCase(Locale.ROOT));
            Outcome outcome = checker.check(CheckSpec.of(type, target.split(" ")[1], Duration.ofSeconds(30)));
            assertThat(outcome.error()).as(target).startsWith("169.254.169.254 must not be asked");
            assertThat(outcome.retryable()).isFalse();
        }
    }

    @Test
    void aBannedAddressAmongOthersIsLeftOut() {
        names.with("mixed.example", "A", "169.254.169.254", "127.0.0.1");
        try (var server = RawServer.answering("HTTP/1.1 204 Fine\r\n\r\n")) {
            assertThat(http("http://mixed.example:" + server.port()).error()).isNull();
        }
    }

    @Test
    void theSecondAddressIsTriedWhereTheFirstRefuses() {
        names.with("two.example", "A", "127.0.0.2", "127.0.0.1");
        try (var server = RawServer.answering("HTTP/1.1 204 Fine\r\n\r\n")) {
            assertThat(http("http://two.example:" + server.port()).error()).isNull();
        }
    }

    private Outcome http(String url) {
        return checker.check(CheckSpec.of(CheckType.HTTP, url, Duration.ofSeconds(30)));
    }

    private Outcome check(String name, String type, String resolver, String... assertions) {
        return checker.check(new CheckSpec(
                CheckType.DNS,
                name,
                Duration.ofSeconds(30),
                Assertion.parseAll(List.of(assertions)),
                options(type, resolver)));
    }

    private static CheckOptions options(String type, String resolver) {
        return new CheckOptions("GET", Map.of(), null, null, 5, Tls.DEFAULTS, type, resolver);
    }
}
