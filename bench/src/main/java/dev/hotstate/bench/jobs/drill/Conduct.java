package dev.hotstate.bench.jobs.drill;

import java.util.Objects;
import java.util.Random;

/** What one attempt does, by chance: the same for the same seed, task and attempt. */
enum Conduct {
    SUCCEED,
    FAIL,
    FAIL_FOR_GOOD,
    /** Goes on longer than the task's timeout, whoever asks it to stop, and then commits or completes, if it may. */
    DAWDLE,
    /** Says nothing more. Of workers over HTTP only: one in Java is killed now and then. */
    VANISH;

    private static final int PATIENT_AFTER = 3;

    static Conduct of(Instruction instruction, String job, String task, int attempt) {
        int draw = new Random(Objects.hash(instruction.seed(), job, task, attempt)).nextInt(100);
        return switch (instruction.fate()) {
            case DOOMED -> draw < 70 ? FAIL : FAIL_FOR_GOOD;
            case OPEN -> draw < 55 ? SUCCEED : draw < 85 ? FAIL : draw < 92 ? FAIL_FOR_GOOD : DAWDLE;
            case SURE ->
                attempt > PATIENT_AFTER || draw < 75 ? SUCCEED : draw < 90 ? FAIL : draw < 93 ? DAWDLE : VANISH;
        };
    }
}
