package dev.hotstate.audit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.hotstate.audit.facts.Member;
import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.wire.Endpoint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChecksTest {
    @Test
    void nodesOfDifferentVersionsAreTold() {
        assertThat(ServerChecks.versions(List.of(node(1, "7.0.15"), node(2, "7.0.15"))))
                .isEmpty();
        assertThat(ServerChecks.versions(List.of(node(1, "7.0.15"), node(2, "7.2.4"))))
                .map(Finding::evidence)
                .contains("127.0.0.1:1 is 7.0.15, 127.0.0.1:2 is 7.2.4");
    }

    @ParameterizedTest
    @CsvSource({"0,10,0,0.278", "5,10,0.237,0.763", "10,10,0.722,1", "40,400,0.074,0.133", "0,0,0,1"})
    void aShareIsKnownWithinItsInterval(long found, long sampled, double low, double high) {
        Finding.Confidence confidence = Wilson.interval(found, sampled);
        assertThat(confidence.low()).isCloseTo(low, within(0.001));
        assertThat(confidence.high()).isCloseTo(high, within(0.001));
    }

    @ParameterizedTest
    @CsvSource({
        "a:*,a:*,true",
        "a:*,a:b:*,true",
        "a:*,*,false",
        "a:*:c,a:b:c,true",
        "a:*:c,a:*,false",
        "*,anything*,true",
        "a,a,true",
        "a,a*,false",
        "a:?,a:b,true",
        "a:?,a:*,false"
    })
    void aPatternCoversThoseThatReachNoFurther(String wide, String narrow, boolean covers) {
        assertThat(Glob.covers(wide, narrow)).isEqualTo(covers);
    }

    private static NodeFacts node(int port, String version) {
        Member member = new Member(new Endpoint("127.0.0.1", port, null, null, 0, null), false, null, 0, null, "");
        Map<String, String> info = Map.of("redis_version", version);
        return new NodeFacts(member, info, info, 0, Map.of(), List.of(), List.of(), List.of(), List.of(), 0, 0);
    }
}
