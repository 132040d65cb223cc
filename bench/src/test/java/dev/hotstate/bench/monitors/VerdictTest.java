package dev.hotstate.bench.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.bench.monitors.AlertLog.Message;
import dev.hotstate.bench.monitors.ScriptedTargets.Outage;
import dev.hotstate.bench.monitors.Verdict.Incident;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    private static final Outage OUTAGE = new Outage(7, at(0), at(60));
    private static final Incident INCIDENT = new Incident(1, 7, at(3), at(62));
    private static final Message OPENED = message("a", "incident.opened", true);
    private static final Message CLOSED = message("b", "incident.closed", true);

    @Test
    void anOutageThatIsOneIncidentAndToldTwiceIsAsPromised() {
        Verdict verdict = Verdict.of(List.of(OUTAGE), List.of(INCIDENT), List.of(OPENED, CLOSED), 0);
        assertThat(verdict.faults()).isEmpty();
        assertThat(verdict.openedAfterMs()).containsExactly(3_000.0);
        assertThat(verdict.duplicates()).isZero();
    }

    @Test
    void anOutageThatNobodySawIsAFault() {
        assertThat(faults(List.of(OUTAGE), List.of()))
                .singleElement()
                .asString()
                .startsWith("0 incidents for");
    }

    @Test
    void anOutageInTwoPiecesIsAFault() {
        Incident second = new Incident(2, 7, at(30), at(62));
        assertThat(faults(List.of(OUTAGE), List.of(INCIDENT, second)))
                .anyMatch(fault -> fault.startsWith("2 incidents"));
    }

    @Test
    void anIncidentWithoutAnOutageIsAFault() {
        assertThat(faults(List.of(), List.of(INCIDENT))).anyMatch(fault -> fault.startsWith("no outage for"));
    }

    @Test
    void anIncidentThatStaysOpenOrClosesTooEarlyIsAFault() {
        assertThat(faults(List.of(OUTAGE), List.of(new Incident(1, 7, at(3), null))))
                .anyMatch(fault -> fault.startsWith("never closed"));
        assertThat(faults(List.of(OUTAGE), List.of(new Incident(1, 7, at(3), at(30)))))
                .anyMatch(fault -> fault.startsWith("closed at the wrong time"));
    }

    @Test
    void anAlertThatWasSentButNeverTakenIsLost() {
        Verdict verdict = Verdict.of(
                List.of(OUTAGE), List.of(INCIDENT), List.of(OPENED, message("b", "incident.closed", false)), 0);
        assertThat(verdict.faults()).singleElement().asString().startsWith("lost: incident.closed");
    }

    @Test
    void anAlertMayComeTwiceWithItsKeyButNotWithAnother() {
        assertThat(Verdict.of(List.of(OUTAGE), List.of(INCIDENT), List.of(OPENED, OPENED, CLOSED), 1))
                .satisfies(verdict -> assertThat(verdict.faults()).isEmpty())
                .satisfies(verdict -> assertThat(verdict.duplicates()).isOne());
        Message otherKey = message("c", "incident.opened", true);
        assertThat(Verdict.of(List.of(OUTAGE), List.of(INCIDENT), List.of(OPENED, otherKey, CLOSED), 1)
                        .faults())
                .singleElement()
                .asString()
                .contains("came with 2 keys");
    }

    @Test
    void anAlertThatComesTwiceThoughNobodyWasKilledIsAFault() {
        assertThat(Verdict.of(List.of(OUTAGE), List.of(INCIDENT), List.of(OPENED, OPENED, CLOSED), 0)
                        .faults())
                .singleElement()
                .asString()
                .startsWith("1 messages came twice");
    }

    @Test
    void oneKeyForTwoAlertsIsAFault() {
        Message sameKey = message("a", "incident.closed", true);
        assertThat(Verdict.of(List.of(OUTAGE), List.of(INCIDENT), List.of(OPENED, sameKey), 0)
                        .faults())
                .singleElement()
                .asString()
                .startsWith("the key a is of");
    }

    private static List<String> faults(List<Outage> outages, List<Incident> incidents) {
        return Verdict.of(outages, incidents, List.of(OPENED, CLOSED), 0).faults();
    }

    private static Message message(String key, String event, boolean taken) {
        return new Message(at(5), key, event, 1, "m7", taken);
    }

    private static Instant at(int seconds) {
        return NOON.plusSeconds(seconds);
    }
}
