package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import dev.hotstate.store.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Many who all want the same few drivers: each takes one, and confirms it, lets it go, or never comes back. They go on until
 * every driver was confirmed once. Meanwhile the drivers send their fixes.
 */
final class Crowd {
    /** Most confirm. */
    private static final List<Plan> PLANS =
            List.of(Plan.CONFIRM, Plan.CONFIRM, Plan.CONFIRM, Plan.CONFIRM, Plan.CANCEL, Plan.FORGET);

    private final List<Garage.Instance> instances;
    private final List<Fix> fixes;
    private final Map<String, String> confirmed = new ConcurrentHashMap<>();
    private final Map<String, String> twice = new ConcurrentHashMap<>();

    Crowd(List<Garage.Instance> instances, int drivers) {
        this.instances = instances;
        this.fixes = IntStream.range(0, drivers)
                .mapToObj(i -> Fix.of("driver-" + i, 10 + i * 1e-4, 10))
                .toList();
    }

    /** @param whileTheyRun done once a third of the drivers is confirmed */
    void run(int people, Runnable whileTheyRun) {
        beat();
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < people; i++) {
            int seed = i;
            all.add(() -> want(new Random(seed), instances.get(seed % instances.size())));
        }
        all.add(() -> {
            while (!isOver()) {
                Thread.sleep(200);
                beat();
            }
            return true;
        });
        all.add(() -> {
            while (confirmed.size() < fixes.size() / 3) {
                Thread.sleep(5);
            }
            whileTheyRun.run();
            return true;
        });
        Chunks.together(all);
    }

    Map<String, String> confirmed() {
        return confirmed;
    }

    /** Drivers that two people were given for good; there must be none. */
    Map<String, String> twice() {
        return twice;
    }

    /** How many pairs of reservations of one driver have lasted at the same time. */
    static int overlaps(Database database) {
        return database.withHandle(handle -> handle.createQuery("SELECT count(*) FROM drivers_reservations a"
                        + " JOIN drivers_reservations b ON a.driver_id = b.driver_id AND a.id <> b.id"
                        + " AND a.created_at <= b.created_at AND coalesce(a.ended_at, 'infinity') > b.created_at")
                .mapTo(Integer.class)
                .one());
    }

    private boolean isOver() {
        return confirmed.size() == fixes.size() || !twice.isEmpty();
    }

    private boolean want(Random random, Garage.Instance instance) throws InterruptedException {
        while (!isOver()) {
            Plan plan = PLANS.get(random.nextInt(PLANS.size()));
            try {
                Wish wish = new Wish(10, 10, 50_000, 1 + random.nextInt(2), null, plan.lease, "person");
                for (Reservation reservation : instance.drivers.reserve(wish)) {
                    use(plan, instance, reservation);
                }
            } catch (HotstateException notNow) {
                // Redis or PostgreSQL is away or too busy, or the lease has ended: once more.
            }
            Thread.sleep(200 + random.nextInt(1_000));
        }
        return true;
    }

    /** What somebody has in mind; who forgets a driver has it for a second. */
    private enum Plan {
        CONFIRM(Duration.ofSeconds(5)),
        CANCEL(Duration.ofSeconds(5)),
        FORGET(Duration.ofSeconds(1));

        private final Duration lease;

        Plan(Duration lease) {
            this.lease = lease;
        }
    }

    private void use(Plan plan, Garage.Instance instance, Reservation reservation) {
        switch (plan) {
            case CONFIRM -> {
                instance.drivers.confirm(reservation.id(), reservation.fence());
                if (confirmed.putIfAbsent(reservation.driver(), reservation.id()) != null) {
                    twice.put(reservation.driver(), reservation.id());
                }
            }
            case CANCEL -> instance.drivers.cancel(reservation.id(), reservation.fence());
            case FORGET -> {}
        }
    }

    private void beat() {
        try {
            instances.getFirst().drivers.locateAll(fixes);
        } catch (HotstateException notNow) {
            // The next one counts.
        }
    }
}
