package dev.hotstate.limits;

import dev.hotstate.core.ScriptContract;
import java.util.Set;

/** Counters and statistics that are lost are a stated bound and need no incarnation, so nothing here asks for one. */
class ScriptContractIT extends ScriptContract {
    ScriptContractIT() {
        super(LimitKeys.SERVICE, "src/main/resources/dev/hotstate/limits", Set.of("acquire", "refund", "tally"));
    }
}
