package dev.hotstate.core;

import java.util.Set;

/** The guard's own scripts and those of events write without it. */
class ScriptContractIT extends ScriptContract {
    ScriptContractIT() {
        super(CoreKeys.SERVICE, "src/main/resources/dev/hotstate/core", Set.of("beat", "open", "ready", "publish"));
    }
}
