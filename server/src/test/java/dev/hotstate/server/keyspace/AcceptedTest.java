package dev.hotstate.server.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptedTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/markdown",
                "Text/Markdown; charset=utf-8",
                "text/markdown, */*",
                "text/markdown, application/json",
                "application/json;q=0.5, text/markdown;q=0.9",
            })
    void whoAsksForMarkdownGetsIt(String header) {
        assertThat(Accepted.of(header).prefers("text/markdown", "application/json"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "text/html",
                "application/json",
                "application/json, text/markdown",
                "text/markdown;q=0.1, application/json",
                "text/markdown;q=0",
                "text/markdown;q=much",
                "text/markdown-like",
            })
    void whoDoesNotOrLikesJsonMoreGetsJson(String header) {
        assertThat(Accepted.of(header).prefers("text/markdown", "application/json"))
                .isFalse();
    }
}
