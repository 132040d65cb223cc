package dev.hotstate.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CheckTest {
    private final Check check = new Check();

    @Test
    void whatAValueObjectsToIsTheErrorOfTheFieldItNames() {
        assertThat(check.<String>checked("rules[2].", () -> {
                    throw new IllegalArgumentException("limit must be at least 1, not 0");
                }))
                .isNull();

        assertThat(errors()).containsExactly(new FieldError("rules[2].limit", "must be at least 1, not 0"));
        assertThat(check.isClean("rules[2]")).isFalse();
        assertThat(check.isClean("rules[1]")).isTrue();
    }

    @Test
    void aValueWithoutObjectionIsGivenBack() {
        assertThat(check.checked("", () -> "right")).isEqualTo("right");
        check.refuse();
    }

    @Test
    void aRequiredTextIsNotBlankButAGivenOneMayBe() {
        check.required(" ", "name").given(" ", "subject").given(null, "rule").required(0, "cost");

        assertThat(errors())
                .containsExactly(new FieldError("name", "is required"), new FieldError("rule", "is required"));
    }

    @Test
    void aWordIsOneOfThoseThatTheApiSpellsInSmallLetters() {
        check.oneOf("seconds", "unit", TimeUnit.values()).oneOf(null, "unit", TimeUnit.values());
        check.refuse();

        check.oneOf("SECONDS", "unit", new TimeUnit[] {TimeUnit.SECONDS, TimeUnit.DAYS});
        assertThat(errors()).containsExactly(new FieldError("unit", "must be one of seconds, days"));
    }

    @Test
    void oneMistakeInEachOfManyItemsIsNotToldInFull() {
        for (int i = 0; i < 1_000; i++) {
            check.required(null, "items[" + i + "].fence");
        }
        assertThat(errors()).hasSize(Check.MOST);
    }

    private List<FieldError> errors() {
        return catchThrowableOfType(Problem.class, check::refuse).errors();
    }
}
