package dev.hotstate.server;

import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisAddress;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.server.auth.SessionRoutes;
import dev.hotstate.server.auth.TokenRoutes;
import dev.hotstate.server.auth.Tokens;
import dev.hotstate.server.chores.Chores;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.server.http.HttpOptions;
import dev.hotstate.server.http.HttpServer;
import dev.hotstate.server.http.RequestObserver;
import dev.hotstate.server.http.Routes;
import dev.hotstate.server.http.ops.EventRoutes;
import dev.hotstate.server.http.ops.Health;
import dev.hotstate.server.http.ops.HealthRoutes;
import dev.hotstate.server.http.ops.MetricsRoutes;
import dev.hotstate.server.http.ops.OpenApiRoutes;
import dev.hotstate.server.http.ops.RequestTimer;
import dev.hotstate.server.http.ops.UiConfig;
import dev.hotstate.server.http.ops.UiRoutes;
import dev.hotstate.server.keyspace.KeyspaceRoutes;
import dev.hotstate.server.keyspace.LiveKeyspace;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.store.PostgresLedger;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole server. Read {@link #assemble} from top to bottom: PostgreSQL, Redis, what stands on both, the features, and
 * HTTP last, so that whoever can call it finds it whole. It ends in the opposite order.
 */
public final class HotstateServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HotstateServer.class);
    private static final int MOST_STREAMS = 1_000;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Settings settings;
    private final Servers servers;
    private final InstantSource clock = InstantSource.system();
    private final String instance = Instance.name();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** The Redis and PostgreSQL to use; {@code embedded} when they are not for production. */
    public record Servers(String redisUrl, String postgresUrl, boolean embedded) {}

    private HotstateServer(Settings settings, Servers servers) {
        this.settings = settings;
        this.servers = servers;
    }

    /**
     * Starts everything. When this returns, requests are answered.
     *
     * @throws RuntimeException with one sentence for the operator; then nothing is left running
     */
    public static HotstateServer start(Settings settings, Servers servers) {
        var server = new HotstateServer(settings, servers);
        try {
            server.assemble();
            return server;
        } catch (RuntimeException | Error failed) {
            // An Error too: a script whose header is wrong fails the loading of its class.
            server.close();
            throw failed;
        }
    }

    /** Where a person on this machine finds it. */
    public String url() {
        return http().url();
    }

    public int port() {
        return http().port();
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception broken) {
                LOG.warn("A part did not end cleanly", broken);
            }
        }
    }

    private void assemble() {
        keep(meters::close);
        bindJvmMeters();
        var features = Features.of(settings);
        var keyspace = Features.keyspace(settings);
        // Beside the migrations, which take about as long.
        var connecting = keep(
                Meanwhile.start("redis-connect", () -> Redis.connect(redisOptions(), keyspace, meters), Redis::close));
        var database = keep(openDatabase(features));
        var redis = connecting.get();
        var events = keep(new Events(redis, Features.allTopics()));
        var incarnations = keep(new Incarnations(
                redis,
                new PostgresLedger(database),
                Incarnations.Options.of(instance),
                keep(new PartitionNews(events))));
        var backbone = new Backbone(instance, settings, redis, database, incarnations, events, meters, clock);

        var running = new ArrayList<Feature.Running>();
        var chores = new ArrayList<>(Features.chores(backbone));
        for (var feature : features) {
            running.add(keep(feature.start(backbone)));
            chores.addAll(running.getLast().chores());
        }
        keep(Chores.start(backbone, chores));
        keep(listen(backbone, features, running));
    }

    private Database openDatabase(List<Feature> features) {
        var database = Database.open(
                DatabaseOptions.of(servers.postgresUrl())
                        .withMaxConnections(settings.postgres().connections())
                        .withConnectTimeout(settings.postgres().timeout())
                        .withQueryTimeout(settings.postgres().timeout())
                        .withApplicationName("hotstate " + instance),
                meters);
        var migrations = new ArrayList<>(List.of(PostgresLedger.migrations(), MigrationSet.of("server")));
        features.forEach(feature -> migrations.addAll(feature.migrations()));
        try {
            database.migrate(migrations);
            return database;
        } catch (RuntimeException | Error failed) {
            database.close();
            throw failed;
        }
    }

    private RedisOptions redisOptions() {
        var wanted = settings.redis();
        var breaker = wanted.breaker();
        return new RedisOptions(
                RedisAddress.parse(servers.redisUrl()),
                wanted.timeout(),
                wanted.deadline(),
                wanted.minConnections(),
                wanted.maxConnections(),
                wanted.queue(),
                new RedisOptions.Breaker(breaker.failures(), breaker.open(), breaker.probe()),
                wanted.topologyRefresh(),
                Optional.empty());
    }

    private HttpServer listen(Backbone backbone, List<Feature> features, List<Feature.Running> running) {
        var tokens = Tokens.in(backbone.database(), clock);
        var parts = new ArrayList<>(BackboneParts.of(backbone));
        running.forEach(feature -> parts.addAll(feature.health()));
        var health = new Health(parts, clock);
        var routes = new ArrayList<Routes>(List.of(
                new HealthRoutes(health),
                new MetricsRoutes(meters),
                new EventRoutes(new CoreEvents(backbone.events()), health, Set.copyOf(Features.TOPICS), MOST_STREAMS),
                new KeyspaceRoutes(backbone.redis().keyspace(), new LiveKeyspace(backbone.redis(), clock)),
                new TokenRoutes(tokens, clock),
                new SessionRoutes(tokens, clock),
                new UiRoutes(HotstateServer.class.getClassLoader(), uiConfig(features))));
        running.forEach(feature -> routes.addAll(feature.routes()));
        routes.add(new OpenApiRoutes(List.copyOf(routes), Version.current()));
        return HttpServer.start(httpOptions(), routes, tokens, hooks(running));
    }

    private HttpServer.Hooks hooks(List<Feature.Running> running) {
        var observers = new ArrayList<RequestObserver>(List.of(new RequestTimer(meters)));
        running.forEach(feature -> feature.observer().ifPresent(observers::add));
        var admissions = running.stream()
                .flatMap(feature -> feature.admission().stream())
                .toList();
        return new HttpServer.Hooks(observers, admissions, List.of(FailureMappings::problem));
    }

    private HttpOptions httpOptions() {
        var tls = settings.tls();
        return new HttpOptions(
                settings.host(),
                settings.port(),
                tls.isOn() ? Path.of(tls.certificate()) : null,
                tls.isOn() ? Path.of(tls.key()) : null,
                Math.toIntExact(settings.http().maxBody()),
                List.copyOf(settings.http().allowedHosts()),
                settings.tokensNeeded(),
                settings.shutdownTimeout());
    }

    private UiConfig uiConfig(List<Feature> features) {
        return new UiConfig(
                Version.current(),
                features.stream().map(Feature::name).toList(),
                settings.env(),
                instance,
                settings.tokensNeeded(),
                servers.embedded(),
                tiles(settings.drivers().tiles()));
    }

    private static UiConfig.@Nullable Tiles tiles(Settings.Tiles tiles) {
        return tiles.url().isEmpty() ? null : new UiConfig.Tiles(tiles.url(), tiles.attribution());
    }

    private void bindJvmMeters() {
        new JvmMemoryMetrics().bindTo(meters);
        new JvmThreadMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
    }

    private HttpServer http() {
        return (HttpServer) parts.getFirst();
    }

    private <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }
}
