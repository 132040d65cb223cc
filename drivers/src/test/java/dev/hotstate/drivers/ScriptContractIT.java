package dev.hotstate.drivers;

import dev.hotstate.core.ScriptContract;
import java.util.Set;

class ScriptContractIT extends ScriptContract {
    ScriptContractIT() {
        super(DriverKeys.SERVICE, "src/main/resources/dev/hotstate/drivers", Set.of());
    }
}
