package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hotstate.core.Cron;
import dev.hotstate.core.Flaw;
import dev.hotstate.core.InvalidDocumentException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {
    @Test
    void aWindowIsOpenFromItsBeginningAndAtItsEndNoMore() {
        var once = window("{'starts_at':'2026-05-01T12:00:00Z','ends_at':'2026-05-01T13:00:00Z'}");

        assertThat(open(once, "2026-05-01T11:59:59.999Z")).isFalse();
        assertThat(open(once, "2026-05-01T12:00:00Z")).isTrue();
        assertThat(open(once, "2026-05-01T12:59:59.999Z")).isTrue();
        assertThat(open(once, "2026-05-01T13:00:00Z")).isFalse();
        assertThat(changes(once, "2026-05-01T00:00:00Z", 5))
                .containsExactly("2026-05-01T12:00:00Z", "2026-05-01T13:00:00Z");
    }

    @Test
    void aRecurringWindowIsOpenForItsDurationAfterEachTime() {
        var nightly = window("{'cron':'0 2 * * *','duration':'90m'}");

        assertThat(open(nightly, "2026-05-01T01:59:59Z")).isFalse();
        assertThat(open(nightly, "2026-05-01T02:00:00Z")).isTrue();
        assertThat(open(nightly, "2026-05-01T03:29:59.999Z")).isTrue();
        assertThat(open(nightly, "2026-05-01T03:30:00Z")).isFalse();
        assertThat(changes(nightly, "2026-05-01T02:30:00Z", 3))
                .containsExactly("2026-05-01T03:30:00Z", "2026-05-02T02:00:00Z", "2026-05-02T03:30:00Z");
    }

    @Test
    void whereTimesOverlapTheWindowStaysOpen() {
        var always = window("{'cron':'*/10 * * * *','duration':'15m'}");

        assertThat(open(always, "2026-05-01T02:09:59Z")).isTrue();
        assertThat(open(always, "2026-05-01T02:17:00Z")).isTrue();
    }

    @Test
    void aWindowInTheSkippedHourOfSpringOpensAtTheChangeAndIsAsLongAsEver() {
        var nightly = window("{'cron':'30 2 * * *','duration':'1h','time_zone':'Europe/Berlin'}");

        assertThat(changes(nightly, "2026-03-28T12:00:00Z", 4))
                .containsExactly(
                        "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z", "2026-03-30T00:30:00Z", "2026-03-30T01:30:00Z");
        assertThat(open(nightly, "2026-03-29T01:30:00Z")).isTrue();
    }

    @Test
    void aWindowInTheRepeatedHourOfAutumnOpensOnce() {
        var nightly = window("{'cron':'30 2 * * *','duration':'15m','time_zone':'Europe/Berlin'}");

        assertThat(changes(nightly, "2026-10-24T12:00:00Z", 4))
                .containsExactly(
                        "2026-10-25T00:30:00Z", "2026-10-25T00:45:00Z", "2026-10-26T01:30:00Z", "2026-10-26T01:45:00Z");
        assertThat(open(nightly, "2026-10-25T01:35:00Z")).isFalse();
    }

    @Test
    void itIsForItsMonitorsAndTagsOrForAll() {
        var web = Some.monitor("web", "'tags':['eu']");
        var base = "{'cron':'* * * * *','duration':'1m','ids':%s,'tags':%s}";

        assertThat(window(base.formatted("[]", "[]")).concerns(web)).isTrue();
        assertThat(window(base.formatted("['web']", "[]")).concerns(web)).isTrue();
        assertThat(window(base.formatted("['api']", "[]")).concerns(web)).isFalse();
        assertThat(window(base.formatted("['api']", "['eu']")).concerns(web)).isTrue();
        assertThat(window(base.formatted("[]", "['us']")).concerns(web)).isFalse();
    }

    @Test
    void anEndMayBeGivenAsADuration() {
        assertThat(window("{'starts_at':'2026-05-01T12:00:00Z','duration':'2h'}")
                        .schedule())
                .isEqualTo(new Schedule.Once(
                        Instant.parse("2026-05-01T12:00:00Z"), Instant.parse("2026-05-01T14:00:00Z")));
    }

    @Test
    void aWindowIsItsDocument() {
        var again = window("{'id':'n','title':'Nightly','cron':'0 2 * * *','duration':'90m','time_zone':'Asia/Tokyo',"
                + "'ids':['web'],'tags':['eu']}");
        var once = window("{'starts_at':'2026-05-01T12:00:00Z','ends_at':'2026-05-01T13:00:00Z'}");

        assertThat(back(again)).isEqualTo(again);
        assertThat(back(once)).isEqualTo(once);
        assertThat(again.schedule())
                .isEqualTo(new Schedule.Recurring(Cron.of("0 2 * * *", "Asia/Tokyo"), Duration.ofMinutes(90)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'ends_at':'2026-05-01T13:00:00Z'}                                          | starts_at
            {'starts_at':'2026-05-01T13:00:00Z'}                                        | ends_at
            {'starts_at':'2026-05-01T13:00:00Z','ends_at':'2026-05-01T13:00:00Z'}       | ends_at
            {'starts_at':'2026-05-01T13:00:00Z','ends_at':'2026-07-01T13:00:00Z'}       | ends_at
            {'starts_at':'2026-05-01T13:00:00Z','duration':'32d'}                       | ends_at
            {'cron':'0 2 * * *'}                                                        | duration
            {'cron':'0 2 * * *','duration':'32d'}                                       | duration
            {'cron':'0 2 * * *','duration':'0ms'}                                       | duration
            {'cron':'at two','duration':'1h'}                                           | cron
            {'cron':'0 2 * * *','duration':'1h','time_zone':'Here'}                     | time_zone
            {'cron':'0 2 * * *','duration':'1h','starts_at':'2026-05-01T13:00:00Z'}     | starts_at
            {'starts_at':'2026-05-01T13:00:00Z','duration':'1h','time_zone':'UTC'}      | time_zone
            {'cron':'0 2 * * *','duration':'1h','ids':['a b']}                          | ids[0]
            {'cron':'0 2 * * *','duration':'1h','tags':[null]}                          | tags[0]
            {'cron':'0 2 * * *','duration':'1h','title':''}                             | title
            {'cron':'0 2 * * *','duration':'1h','id':'/'}                               | id
            """)
    void aFlawNamesItsField(String json, String field) {
        assertThat(catchThrowableOfType(InvalidDocumentException.class, () -> window(json))
                        .flaws())
                .extracting(Flaw::field)
                .containsExactly(field);
    }

    private static boolean open(Window window, String at) {
        return window.schedule().isOpen(Instant.parse(at));
    }

    private static List<String> changes(Window window, String after, int most) {
        var changes = new ArrayList<String>();
        var next = window.schedule().nextChange(Instant.parse(after));
        while (next.isPresent() && changes.size() < most) {
            changes.add(next.get().toString());
            next = window.schedule().nextChange(next.get());
        }
        return changes;
    }

    private static Window back(Window window) {
        return DocumentJson.read(DocumentJson.write(WindowDocument.of(window)), WindowDocument.class)
                .toWindow();
    }

    private static Window window(String json) {
        return DocumentJson.read(json.replace('\'', '"'), WindowDocument.class).toWindow();
    }
}
