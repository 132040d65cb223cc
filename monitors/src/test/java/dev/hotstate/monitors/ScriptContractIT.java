package dev.hotstate.monitors;

import dev.hotstate.core.ScriptContract;
import java.util.Set;

class ScriptContractIT extends ScriptContract {
    ScriptContractIT() {
        super(MonitorKeys.SERVICE, "src/main/resources/dev/hotstate/monitors", Set.of());
    }
}
