package dev.hotstate.limits;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class SubjectKeyOnClusterIT extends SubjectKeyContract {
    SubjectKeyOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
