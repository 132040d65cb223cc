package dev.hotstate.jobs;

import dev.hotstate.core.RedisRefusedException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Calls of scripts that derive keys, while their slot is on its way to another node: such a script is refused where it
 * reads a key that has moved ahead. It has written nothing by then, as it reads all such keys first; so it is tried again.
 */
final class Moving {
    private static final String REFUSAL = "non local key";
    private static final int ATTEMPTS = 20;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private Moving() {}

    static <T> T tryAgain(Supplier<T> call) {
        for (int attempt = 1; ; attempt++) {
            try {
                return call.get();
            } catch (RedisRefusedException refused) {
                if (attempt == ATTEMPTS || !String.valueOf(refused.getMessage()).contains(REFUSAL)) {
                    throw refused;
                }
                pause(refused);
            }
        }
    }

    private static void pause(RedisRefusedException refused) {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw refused;
        }
    }
}
