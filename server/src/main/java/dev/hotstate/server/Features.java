package dev.hotstate.server;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Service;
import dev.hotstate.jobs.Jobbing;
import dev.hotstate.server.audit.AuditFeature;
import dev.hotstate.server.auth.Tokens;
import dev.hotstate.server.chores.Chores;
import dev.hotstate.server.config.InvalidSettingsException;
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
                new DriversFeature(),
                new AuditFeature());
    }

    /**
     * All keys that the server and the features that are on may keep.
     *
     * @throws InvalidSettingsException saying what to set, if keys could be too long under the prefix
     */
    public static Keyspace keyspace(Settings settings) {
        var services = services(settings);
        settings.requirePrefixWithin(Keyspace.longestPrefix(services));
        return Keyspace.of(settings.keyPrefix(), services);
    }

    private static List<Service> services(Settings settings) {
        var services = new ArrayList<>(List.of(CoreKeys.SERVICE, Chores.KEYS));
        of(settings).forEach(feature -> services.add(feature.keys()));
        return services;
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
