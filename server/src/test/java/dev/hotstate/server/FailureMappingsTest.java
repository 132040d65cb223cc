package dev.hotstate.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.server.http.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureMappingsTest {
    @Test
    void whatIsWrongWithADocumentIsToldFieldByField() {
        var invalid = new InvalidDocumentException(List.of(new Flaw("lat", "must be a number")));

        var problem = FailureMappings.problem(invalid).orElseThrow();

        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.errors()).containsExactly(new FieldError("lat", "must be a number"));
    }

    @Test
    void whatCannotBeDoneNowIsUnavailable() {
        var problem = FailureMappings.problem(new HotstateException("it is on its way"))
                .orElseThrow();

        assertThat(problem.status()).isEqualTo(503);
        assertThat(problem).hasMessageContaining("it is on its way");
    }

    @Test
    void aMistakeIsNotExplainedAway() {
        assertThat(FailureMappings.problem(new IllegalStateException("broken"))).isEmpty();
    }
}
