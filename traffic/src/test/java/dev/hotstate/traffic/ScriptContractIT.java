package dev.hotstate.traffic;

import dev.hotstate.core.ScriptContract;
import java.util.Set;

/** No script asks the guard: what a loss of Redis costs is a stated bound, and the key of life tells it. */
class ScriptContractIT extends ScriptContract {
    ScriptContractIT() {
        super(
                TrafficKeys.SERVICE,
                "src/main/resources/dev/hotstate/traffic",
                Set.of("flush", "restore", "retire", "news"));
    }
}
