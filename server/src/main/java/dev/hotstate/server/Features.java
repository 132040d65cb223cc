package dev.hotstate.server;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Keyspace;
import dev.hotstate.jobs.Jobbing;
import dev.hotstate.server.auth.Tokens;
import dev.hotstate.server.chores.Chores;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.drivers.DriversFeature;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Chore;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.server.jobs.JobsFeature;
import dev.hotstate.server.limits.LimitsFeature;
import dev.hotstate.server.monitors.MonitorsFeature;
import dev.hotstate.server.traffic.TrafficFeature;
import dev.hotstate.store.PostgresLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Every feature there is. A new one is added here, and nowhere else. */
public final class Features {
    /** What {@code /events} can tell of. */
    static final List<String> TOPICS = List.of("monitors", "jobs", "drivers", "traffic", "limits", "audit", "system");

    private Features() {}

    /** These, and what instances tell each other alone. */
    static List<String> allTopics() {
        var topics = new ArrayList<>(TOPICS);
        topics.add(Jobbing.READY_TOPIC);
        return topics;
    }

    /** Those that are switched on. */
    static List<Feature> of(Settings settings) {
        return all().stream()
                .filter(feature -> settings.features().contains(feature.name()))
                .toList();
    }

    private static List<Feature> all() {
        return List.of(
                new LimitsFeature(),
                new TrafficFeature(),
                new MonitorsFeature(),
                new JobsFeature(),
                new DriversFeature());
    }

    /** All keys that the server and these features may keep, under a prefix. */
    static Keyspace keyspace(String prefix, List<Feature> features) {
        var services = new ArrayList<>(List.of(CoreKeys.SERVICE, Chores.KEYS));
        features.forEach(feature -> services.add(feature.keys()));
        return Keyspace.of(prefix, services);
    }

    /** The keyspace that the settings make. */
    public static Keyspace keyspace(Settings settings) {
        return keyspace(settings.keyPrefix(), of(settings));
    }

    /** What the server does by itself, whatever is switched on. */
    static List<Chore> chores(Backbone backbone) {
        var ledger = new PostgresLedger(backbone.database());
        var tokens = Tokens.in(backbone.database(), backbone.clock());
        return List.of(
                new Chore("forget-instances", Duration.ofMinutes(10), ledger::forgetDeadInstances),
                new Chore("purge-tokens", Duration.ofHours(1), tokens::purgeExpired));
    }
}
