package dev.hotstate.jobs;

import dev.hotstate.core.ScriptContract;
import java.util.Set;

class ScriptContractIT extends ScriptContract {
    ScriptContractIT() {
        super(JobKeys.SERVICE, "src/main/resources/dev/hotstate/jobs", Set.of());
    }
}
