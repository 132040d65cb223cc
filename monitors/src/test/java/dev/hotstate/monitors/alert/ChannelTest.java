package dev.hotstate.monitors.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "type | {}",
                "type | {'type':'pager'}",
                "url | {'type':'webhook'}",
                "url | {'type':'webhook','url':'ftp://example.com/'}",
                "url | {'type':'webhook','url':'https://me:secret@example.com/'}",
                "url | {'type':'webhook','url':'https:///path'}",
                "url | {'type':'webhook','url':'https://example.com/#part'}",
                "url | {'type':'webhook','url':'not a url'}",
                "secret | {'type':'webhook','url':'https://example.com/','secret':''}",
                "secret | {'type':'webhook','url':'https://example.com/','secret':7}",
                "headers | {'type':'webhook','url':'https://example.com/','headers':{'a b':'c'}}",
                "headers | {'type':'webhook','url':'https://example.com/','headers':{'Host':'c'}}",
                "headers | {'type':'webhook','url':'https://example.com/','headers':{'idempotency-key':'c'}}",
                "headers.x | {'type':'webhook','url':'https://example.com/','headers':{'x':'a\\r\\nb: c'}}",
                "headers.x | {'type':'webhook','url':'https://example.com/','headers':{'x':null}}",
                "host | {'type':'webhook','url':'https://example.com/','host':'mail.example.com'}",
                "url | {'type':'slack','url':'hooks.slack.com'}",
                "secret | {'type':'slack','url':'https://hooks.slack.com/','secret':'x'}",
                "host | {'type':'email','from':'a@b.c','to':['a@b.c']}",
                "host | {'type':'email','host':'a b','from':'a@b.c','to':['a@b.c']}",
                "port | {'type':'email','host':'a','port':0,'from':'a@b.c','to':['a@b.c']}",
                "tls | {'type':'email','host':'a','tls':'maybe','from':'a@b.c','to':['a@b.c']}",
                "password | {'type':'email','host':'a','password':'p','from':'a@b.c','to':['a@b.c']}",
                "password | {'type':'email','host':'a','user':'u','password':'p\\nq','from':'a@b.c','to':['a@b.c']}",
                "from | {'type':'email','host':'a','to':['a@b.c']}",
                "from | {'type':'email','host':'a','from':'nobody','to':['a@b.c']}",
                "from | {'type':'email','host':'a','from':'a@b.c\\r\\nBcc: x@y.z','to':['a@b.c']}",
                "to | {'type':'email','host':'a','from':'a@b.c'}",
                "to | {'type':'email','host':'a','from':'a@b.c','to':[]}",
                "to[1] | {'type':'email','host':'a','from':'a@b.c','to':['a@b.c','x y']}",
                "to[0] | {'type':'email','host':'a','from':'a@b.c','to':['a@b.c, d@e.f']}",
                "to[0] | {'type':'email','host':'a','from':'a@b.c','to':['a@b.c\\nBcc: d@e.f']}",
                "url | {'type':'email','url':'https://example.com/','host':'a','from':'a@b.c','to':['a@b.c']}",
            })
    void whatIsWrongIsNamedByItsField(String field, String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(json)).withMessageStartingWith(field + " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "ä", "x/y", "12345678901234567890123456789012345678901234567890123456789012345"})
    void anIdIsOfPlainCharacters(String id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Channel(id, read("{'type':'slack'}").settings()))
                .withMessageStartingWith("id ");
    }

    @Test
    void aRefusalDoesNotTellTheUrlThatMayBeASecret() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("{'type':'slack','url':'https://hooks.slack.com/services/T 0/B0/XYZ'}"))
                .satisfies(refusal -> assertThat(refusal.toString()).doesNotContain("XYZ"));
    }

    @Test
    void aMailChannelHasTheUsualPorts() {
        assertThat(port("starttls")).isEqualTo(587);
        assertThat(port("implicit")).isEqualTo(465);
        assertThat(port("none")).isEqualTo(25);
    }

    private static int port(String tls) {
        return ((Email) read("{'type':'email','host':'a','tls':'" + tls + "','from':'a@b.c','to':['a@b.c']}")
                        .settings())
                .port();
    }

    private static Channel read(String json) {
        try {
            return new ObjectMapper()
                    .readValue(json.replace('\'', '"'), ChannelDocument.class)
                    .toChannel("ops");
        } catch (JsonProcessingException malformed) {
            throw new AssertionError(malformed);
        }
    }
}
