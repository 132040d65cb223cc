package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a cluster can do to one partition while the others go on. */
@ExtendWith(Testkit.class)
class ClusterIncarnationsIT {
    private static final int ERRANDS = 250;
    private static final Duration LEASE = Duration.ofMinutes(5);

    private final List<Partition> partitions = Partition.spread("e", 3);
    private final Partition struck = partitions.getFirst();
    private final RedisCluster cluster = RedisCluster.start();
    private final DatabaseUrl database;
    private ErrandServer one;
    private ErrandServer two;

    ClusterIncarnationsIT(PostgresServer postgres) {
        this.database = Urls.of(postgres.freshDatabase());
    }

    @BeforeEach
    void twoServers() {
        partitions.forEach(partition -> ErrandServer.store(database, partition, ERRANDS));
        one = new ErrandServer("one", cluster.uri(), database, partitions, cursor -> {});
        two = new ErrandServer("two", cluster.uri(), database, partitions, cursor -> {});
        Eventually.until("both are ready", () -> one.incarnations.allReady() && two.incarnations.allReady());
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
        cluster.close();
    }

    @Test
    void aLostMasterIsRebuiltOnItsReplicaWhileTheOtherPartitionsWork() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger served = new AtomicInteger();
        List<Exception> failures = new ArrayList<>();
        Thread others = Thread.startVirtualThread(() -> {
            while (!over.get()) {
                for (Partition partition : partitions.subList(1, 3)) {
                    try {
                        one.agenda.depth(partition);
                        one.agenda.release(
                                one.agenda.claim(partition, 10, LEASE).claims());
                        served.incrementAndGet();
                    } catch (HotstateException failed) {
                        failures.add(failed);
                    }
                }
            }
        });

        cluster.failOver(masterOf(struck));
        awaitReady(struck, 2);
        over.set(true);
        others.join();

        assertThat(failures).as("calls to the other masters that failed").isEmpty();
        assertThat(served).hasPositiveValue();
        assertThat(one.incarnationOf(partitions.get(1))).isEqualTo(1);
        assertThat(one.incarnationOf(partitions.get(2))).isEqualTo(1);
        for (Partition partition : partitions) {
            assertThat(claimAll(two, partition)).hasSize(ERRANDS);
        }
    }

    @Test
    void aLaggingReplicaThatIsPromotedIsRebuiltAndTheClaimsItMissedAreRefused() {
        List<Claim> missed = new ArrayList<>();

        cluster.failOverToLaggingReplica(
                masterOf(struck),
                () -> missed.addAll(one.agenda.claim(struck, 50, LEASE).claims()));
        awaitReady(struck, 2);

        assertThat(missed).hasSize(50);
        assertThat(one.agenda.done(missed)).isEqualTo(missed);
        assertThat(claimAll(two, struck)).hasSize(ERRANDS);
    }

    @Test
    void aSlotThatMovesToAnotherMasterIsNotLost() {
        RedisServer target = masterOf(partitions.get(1));
        List<Claim> held = one.agenda.claim(struck, 10, LEASE).claims();
        int pages = one.pagesLoaded.get() + two.pagesLoaded.get();

        cluster.migrateSlot(RedisCluster.slotOf("{" + struck.tag() + "}"), target);

        Eventually.until("its claims are settled", () -> one.agenda.done(held).isEmpty());
        assertThat(claimAll(two, struck)).hasSize(ERRANDS - held.size());
        assertThat(one.incarnationOf(struck)).isEqualTo(1);
        assertThat(one.pagesLoaded.get() + two.pagesLoaded.get()).isEqualTo(pages);
    }

    private RedisServer masterOf(Partition partition) {
        return cluster.masterOf(RedisCluster.slotOf("{" + partition.tag() + "}"));
    }

    private void awaitReady(Partition partition, long incarnation) {
        for (ErrandServer server : List.of(one, two)) {
            Eventually.until(
                    "it is ready in this incarnation",
                    () -> server.incarnations.allReady() && server.incarnationOf(partition) == incarnation);
        }
    }

    private static Set<String> claimAll(ErrandServer server, Partition partition) {
        Set<String> ids = new TreeSet<>();
        List<Claim> claims;
        do {
            claims = server.agenda.claim(partition, 100, LEASE).claims();
            claims.forEach(claim -> assertThat(ids.add(claim.id())).isTrue());
        } while (!claims.isEmpty());
        return ids;
    }
}
