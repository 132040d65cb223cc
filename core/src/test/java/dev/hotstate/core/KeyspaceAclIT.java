package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(Testkit.class)
class KeyspaceAclIT extends KeyspaceAclContract {
    KeyspaceAclIT(RedisServer redis) {
        super(redis, List.of(redis));
    }

    @Test
    void aUserFollowsEventsAsTheyHappen() {
        try (Redis redis = connect("hotstate-jobs");
                Events events = new Events(redis, List.of("system"));
                Subscription live = events.subscribe(Set.of("system"), Optional.empty())) {
            Eventually.until("events are read", events::isReading);
            events.publish("system", "changed", "{}");
            await(live, "system.changed");
        }

        assertThat(refusals()).isEmpty();
    }

    @Test
    void redisStartsWithThePrintedAclFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("users.acl");
        Files.writeString(file, KeyspaceAcl.of(KEYSPACE).aclFile().replace(KeyspaceAcl.PASSWORD, PASSWORD));

        try (RedisServer own = RedisServer.start("aclfile " + file);
                Redis limits = connect(own, "hotstate-limits")) {
            limits.write(LIMIT.of(PARTITION), (commands, key) -> commands.set(key, "1"));

            assertThat(own.keys()).containsExactly(KEYSPACE.wholeName(LIMIT.of(PARTITION)));
            assertThat(own.commands().aclUsers())
                    .containsExactlyInAnyOrder(
                            "default", "hotstate", "hotstate-core", "hotstate-jobs", "hotstate-limits");
        }
    }
}
