package dev.hotstate.monitors.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AssertionTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status == 200",
                "status in 200..299",
                "status in [200, 204]",
                "status not in 500..599",
                "not status >= 500",
                "latency < 500ms",
                "latency in 1ms..2s",
                "body contains \"ok\"",
                "body not matches \"\\\\d+ errors\"",
                "json(data.items[0].ok) == true",
                "json($) != null",
                "json([0][\"a.b\"]) contains 1.5",
                "header(content-type) contains \"json\"",
                "header(x) == null",
                "certificate.days_left > 14",
                "dns.answers contains \"10.0.0.1\"",
                "dns.answers == [\"a\", \"b\"]",
                "dns.answers != []"
            })
    void whatIsUnderstoodIsPrintedAsItIsBestWritten(String text) {
        assertThat(Assertion.parse(text).sentence()).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            '  status==200 '                | status == 200
            json($.data['key'])==null       | json(data.key) == null
            header(Content-Type)=='x'       | header(content-type) == "x"
            not body contains "it's"        | body not contains "it's"
            body matches '\\d'              | body matches "\\\\d"
            not status not in 1..2          | status in 1..2
            latency <= 1000ms               | latency <= 1s
            """)
    void thereAreOtherWaysToWriteTheSame(String text, String same) {
        assertThat(Assertion.parse(text).sentence()).hasToString(same);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `status == `             | expected a value at column 11, found end
            `status == ok`           | expected a value at column 11, found 'ok'
            `status`                 | expected an operator (== != < <= > >= in contains matches) at column 7, found end
            `status = 200`           | expected an operator (== != < <= > >= in contains matches) at column 8, found '='
            `state == 200`           | expected status, latency, body, json(…), header(…), certificate.days_left or dns.answers at column 1, found 'state'
            `not`                    | expected status, latency, body, json(…), header(…), certificate.days_left or dns.answers at column 4, found end
            `status == 200 or 1`     | expected the end at column 15, found 'or'
            `status == 2.5`          | status needs an integer at column 11
            `status == "200"`        | status needs an integer at column 11
            `status contains "2"`    | status is no text and knows no contains at column 8
            `latency < 500`          | latency needs a duration such as 500ms at column 11
            `latency < 5parsecs`     | expected a number or a duration such as 500ms at column 11, found '5parsecs'
            `body > "a"`             | body is text and knows no > at column 6
            `body contains 5`        | contains needs text in quotes at column 15
            `body contains "ok`      | the text that begins at column 15 has no end
            `body matches "("`       | not a regular expression (Unclosed group) at column 14
            `json(a.) == 1`          | expected a path such as data.items[0] at column 8, found ')'
            `json(a[x]) == 1`        | expected an index or a name in quotes at column 8, found 'x'
            `json(a == 1`            | expected ')' at column 7, found ' '
            `json(a) < "x"`          | < needs a number at column 11
            `header() == "x"`        | expected a header's name at column 8, found ')'
            `status in 200`          | in needs a range such as 200..299 or a list, each an integer at column 11
            `status in 200..`        | expected a value at column 16, found end
            `status in [200 201]`    | expected ',' at column 16, found '201'
            `dns.answers in ["a"]`   | dns.answers is a list and knows no in at column 13
            `dns.answers == [1]`     | dns.answers needs text or a list of texts at column 16
            """)
    void whatIsNotUnderstoodIsRefusedWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> Assertion.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void ofSeveralTheBadOneIsNamed() {
        assertThatThrownBy(() -> Assertion.parseAll(List.of("status == 200", "latency <")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("assertions[1]: expected a value at column 10, found end");
    }

    @Test
    void anAssertionIsShownAsItWasWritten() {
        assertThat(Assertion.parse("status==200")).hasToString("status==200").isEqualTo(Assertion.parse("status==200"));
    }

    @Test
    void aTextBeyondAllReasonIsRefused() {
        assertThatThrownBy(() -> Assertion.parse("body contains \"" + "x".repeat(2000) + "\""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("longer than 1024 characters");
    }
}
