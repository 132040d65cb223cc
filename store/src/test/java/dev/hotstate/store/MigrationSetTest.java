package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class MigrationSetTest {
    @Test
    void aFeatureHasItsFolderAndItsHistory() {
        assertThat(MigrationSet.of("jobs").folder()).isEqualTo("db/migration/jobs");
        assertThat(MigrationSet.of("jobs").historyTable()).isEqualTo("flyway_jobs");
    }

    @Test
    void aNameThatCannotBeATableIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MigrationSet.of("Jobs; DROP"))
                .withMessageContaining("\"Jobs; DROP\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MigrationSet("jobs", "filesystem:/tmp"))
                .withMessageContaining("\"filesystem:/tmp\"");
    }
}
