package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyspaceDocumentTest {
    private static final KeyFamily STATUS = KeyFamily.hash("{<partition>}:monitor:status:<id>")
            .id("partition", 8)
            .text("id", 32)
            .owner("monitors")
            .field("status_code", "the last answer's status | or `0`")
            .expires(Duration.ofHours(36))
            .typically(1_200, 30)
            .example("{m0}:monitor:status:web 1")
            .why("the last outcome of a check, <b>read</b>\nby the dashboard")
            .declared();
    private static final Service MONITORS = new Service("monitors", List.of(STATUS), List.of(), Set.of());

    @Test
    void aFamilyIsToldInFull() {
        Keyspace keyspace = Keyspace.of("dev:hotstate", MONITORS);
        String bytes = String.format(java.util.Locale.ROOT, "%,d", MemoryModel.bytesPerKey(keyspace, STATUS));

        assertThat(KeyspaceDocument.markdown(keyspace))
                .contains("| [monitor:status](#monitorstatus) | monitors | hash | expires after at most 36h | " + bytes
                        + " |")
                .contains("## monitors\n\n### monitor:status\n\n")
                .contains("The last outcome of a check, &lt;b>read&lt;/b> by the dashboard.\n")
                .contains("| key | `dev:hotstate:{<partition>}:monitor:status:<id>` |")
                .contains("| example | `dev:hotstate:{m0}:monitor:status:web 1` |")
                .contains("| type | hash |")
                .contains("| `<partition>` | `A-Z a-z 0-9 . _ -`, at most 8 bytes |")
                .contains("| `<id>` | any text, percent-encoded, at most 32 bytes |")
                .contains("| typically | 1,200 elements of 30 bytes, " + bytes + " bytes a key |")
                .contains("| `status_code` | the last answer's status \\| or \\`0\\` |");
    }

    @Test
    void everyFamilyOfEveryServiceIsThereOnce() {
        Keyspace keyspace = Keyspace.of("dev:hotstate", MONITORS, CoreKeys.SERVICE);
        String page = KeyspaceDocument.markdown(keyspace);

        assertThat(keyspace.families())
                .allSatisfy(family -> assertThat(page)
                        .containsOnlyOnce("\n### " + family.name() + "\n")
                        .containsOnlyOnce("| key | `dev:hotstate:" + family.pattern() + "` |"));
    }

    @Test
    void thePageDoesNotDependOnTheOrderOfServices() {
        assertThat(KeyspaceDocument.markdown(Keyspace.of("dev:hotstate", MONITORS, CoreKeys.SERVICE)))
                .isEqualTo(KeyspaceDocument.markdown(Keyspace.of("dev:hotstate", CoreKeys.SERVICE, MONITORS)));
    }
}
