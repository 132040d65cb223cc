package dev.hotstate.traffic;

import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the counters back to the last checkpoint when Redis has lost them, or has an older copy of them. */
final class Restoration {
    private static final Logger log = LoggerFactory.getLogger(Restoration.class);

    private final RedisTraffic redis;
    private final RedisFigures figures;
    private final Checkpoints checkpoints;
    private final InstantSource clock;

    Restoration(RedisTraffic redis, RedisFigures figures, Checkpoints checkpoints, InstantSource clock) {
        this.redis = redis;
        this.figures = figures;
        this.checkpoints = checkpoints;
        this.clock = clock;
    }

    /**
     * Begins a new life of the counters, unless somebody else did.
     *
     * @param found the life that they had when they were found lost, empty for none
     * @param known the greatest life that the caller knows, empty for none
     */
    void run(String found, String known) {
        restore(latest(), found, known);
    }

    /** For whoever cannot tell by what it counted itself: counters that have counted less than the checkpoint are lost. */
    void runUnlessWhole() {
        Optional<String> life = figures.life();
        Checkpoint latest = latest();
        if (life.isEmpty() || figures.total() < latest.total()) {
            restore(latest, life.orElse(""), "");
        }
    }

    /** Whoever begins a new life says what it goes on from; where nothing was ever counted, there is nothing to say. */
    private void restore(Checkpoint latest, String found, String known) {
        if (redis.restore(latest, found, known) && (latest.total() > 0 || !known.isEmpty())) {
            log.warn(
                    "Redis has lost the counters: the total goes on from the {} requests of {}; what was counted since is missing in it",
                    latest.total(),
                    latest.at());
        }
    }

    private Checkpoint latest() {
        return checkpoints.latest().orElseGet(() -> Checkpoint.nothing(clock.instant()));
    }
}
