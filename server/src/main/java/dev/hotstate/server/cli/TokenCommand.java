package dev.hotstate.server.cli;

import dev.hotstate.core.Durations;
import dev.hotstate.server.auth.Creation;
import dev.hotstate.server.auth.NewToken;
import dev.hotstate.server.auth.Token;
import dev.hotstate.server.auth.Tokens;
import dev.hotstate.server.embedded.EmbeddedServers;
import dev.hotstate.server.http.Json;
import dev.hotstate.server.http.Role;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes and revokes tokens, in the PostgreSQL that the configuration names; the server need not run. */
@Command(name = "token", description = "Make, list and revoke the tokens of callers.", mixinStandardHelpOptions = true)
final class TokenCommand implements Runnable {
    private static final int PAGE = 1_000;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(Objects.requireNonNull(spec).commandLine(), "give one of create, list, revoke");
    }

    @Command(
            name = "create",
            description = "Make a token and print it: it is shown this once.",
            mixinStandardHelpOptions = true)
    int create(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "NAME", description = "Whose it is.") String name,
            @Option(
                            names = "--role",
                            required = true,
                            paramLabel = "ROLE",
                            description = "One of admin, operator, viewer, agent.")
                    String role,
            @Option(names = "--expires", paramLabel = "DURATION", description = "Such as 30d (default: never).")
                    @Nullable
                    String expires,
            @Option(names = "--json", description = "Print JSON.") boolean json) {
        var clock = InstantSource.system();
        var wish = wish(name, role, expires, clock);
        return withTokens(options, clock, tokens -> switch (tokens.create(wish)) {
            case Creation.Created made -> {
                var shown = shown(made.token());
                shown.put("token", made.secret());
                Output.of(spec).println(json ? Json.pretty(shown) : made.secret());
                yield 0;
            }
            case Creation.NameTaken taken ->
                throw new CommandFailedException("there is a token named \"" + name + "\" already");
        });
    }

    @Command(name = "list", description = "Show all tokens, without their secrets.", mixinStandardHelpOptions = true)
    int list(@Mixin SettingsOptions options, @Option(names = "--json", description = "Print JSON.") boolean json) {
        return withTokens(options, InstantSource.system(), tokens -> {
            var all = all(tokens);
            var output = Output.of(spec);
            if (json) {
                output.println(Json.pretty(all.stream().map(TokenCommand::shown).toList()));
            } else {
                all.forEach(token -> output.printf(
                        "%-36s  %-8s  %-24s  expires %s%n",
                        token.id(),
                        token.role().text(),
                        token.name(),
                        token.expiresAt() == null ? "never" : token.expiresAt()));
            }
            return 0;
        });
    }

    @Command(name = "revoke", description = "End a token and its sessions.", mixinStandardHelpOptions = true)
    int revoke(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As `hotstate token list` shows it.") String id) {
        return withTokens(options, InstantSource.system(), tokens -> {
            if (!tokens.revoke(id)) {
                Output.of(spec).println("There is no token of this id.");
                return 1;
            }
            return 0;
        });
    }

    /** What the user asked for, or one sentence that says what is wrong with it. */
    private static NewToken wish(String name, String role, @Nullable String expires, InstantSource clock) {
        try {
            Instant until = expires == null ? null : clock.instant().plus(Durations.parse(expires));
            return new NewToken(name, Role.of(role), until);
        } catch (IllegalArgumentException mistaken) {
            throw new CommandFailedException(String.valueOf(mistaken.getMessage()));
        }
    }

    private static int withTokens(SettingsOptions options, InstantSource clock, Function<Tokens, Integer> work) {
        var settings = options.load();
        try (var servers = new EmbeddedServers(settings)) {
            servers.startOrJoin();
            var store = DatabaseOptions.of(servers.postgresUrl().text()).withMaxConnections(1);
            try (var database = Database.open(store)) {
                database.migrate(List.of(MigrationSet.of("server")));
                return work.apply(Tokens.in(database, clock));
            }
        }
    }

    private static List<Token> all(Tokens tokens) {
        var all = new ArrayList<Token>();
        List<Token> page;
        do {
            page = tokens.list(all.isEmpty() ? "" : all.getLast().id(), PAGE);
            all.addAll(page);
        } while (page.size() == PAGE);
        return all;
    }

    private static Map<String, @Nullable Object> shown(Token token) {
        var shown = new LinkedHashMap<String, @Nullable Object>();
        shown.put("id", token.id());
        shown.put("name", token.name());
        shown.put("role", token.role().text());
        shown.put("created_at", token.createdAt().toString());
        shown.put(
                "expires_at",
                token.expiresAt() == null ? null : token.expiresAt().toString());
        return shown;
    }
}
