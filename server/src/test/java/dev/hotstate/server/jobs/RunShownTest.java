package dev.hotstate.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.jobs.graph.Run;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunShownTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://me:hidden@example.org/",
                "https://example.org/hook?token=hidden",
                "https://example.org/hook?a=1&X-Amz-Signature=hidden&b=2#c",
                "https://example.org/?api_key=hidden&key=hidden&session_id=hidden&passwd=hidden&sig=hidden"
            })
    void aSecretInAnAddressIsMasked(String url) {
        assertThat(RunShown.url(url)).doesNotContain("hidden").contains(RunShown.MASK);
    }

    @Test
    void allElseOfAnAddressIsShown() {
        assertThat(RunShown.url("https://example.org/a?page=2&token=hidden&q=x#top"))
                .isEqualTo("https://example.org/a?page=2&token=" + RunShown.MASK + "&q=x#top");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Authorization", "X-Api-Key", "PRIVATE-TOKEN", "X-Session", "X-Credential", "X-Passwd"})
    void aHeaderThatSoundsSecretIsMasked(String name) {
        var run = new Run.Http("GET", "https://example.org/", Map.of(name, "hidden", "Accept", "text/plain"), null);
        assertThat(String.valueOf(RunShown.of(run))).doesNotContain("hidden").contains("text/plain");
    }
}
