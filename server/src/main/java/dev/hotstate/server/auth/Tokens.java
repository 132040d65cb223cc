package dev.hotstate.server.auth;

import dev.hotstate.server.http.Authenticator;
import dev.hotstate.server.http.Caller;
import dev.hotstate.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes, lists, revokes and recognises tokens, and the sessions that browsers open with them. PostgreSQL holds their
 * hashes; {@link KnownCredentials} says how long a revoked one may live on, and what happens while PostgreSQL is away.
 */
public final class Tokens implements Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
    private static final Duration SESSION = Duration.ofHours(12);

    private final PostgresTokens store;
    private final InstantSource clock;
    private final KnownCredentials known;
    // The tokens used since the last look at PostgreSQL; no more than there are.
    private final Set<String> used = ConcurrentHashMap.newKeySet();

    private Tokens(PostgresTokens store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.known = new KnownCredentials(this::load, System::nanoTime);
    }

    /** The tokens in a database that has the migrations of {@code db/migration/server}. */
    public static Tokens in(Database database, InstantSource clock) {
        return new Tokens(new PostgresTokens(database), clock);
    }

    public Creation create(NewToken wish) {
        var secret = Secret.random();
        var token = new Token(Secret.id(), wish.name(), wish.role(), now(), wish.expiresAt(), null);
        if (!store.insert(token, Secret.hash(secret).orElseThrow())) {
            return new Creation.NameTaken();
        }
        known.forget();
        return new Creation.Created(token, secret);
    }

    /** In the order of their ids, those after the given one; from the first with an empty text. */
    public List<Token> list(String after, int limit) {
        return store.list(after, limit);
    }

    /** Ends a token and its sessions; false when there is none of that id. */
    public boolean revoke(String id) {
        boolean revoked = store.delete(id);
        known.forget();
        return revoked;
    }

    /** Opens a session for the holder of a token; empty when it is unknown, expired or revoked. */
    public Optional<Session> open(String token) {
        return valid(token, false).map(credential -> {
            var cookie = Secret.random();
            var now = now();
            var end = now.plus(SESSION);
            var expiresAt = credential.expiresAt();
            store.insertSession(Secret.hash(cookie).orElseThrow(), credential.tokenId(), now, end);
            known.forget();
            return new Session(
                    cookie, credential.caller(), expiresAt != null && expiresAt.isBefore(end) ? expiresAt : end);
        });
    }

    /** Ends a session; what is none is ended already. */
    public void end(String cookie) {
        Secret.hash(cookie).ifPresent(hash -> {
            store.deleteSession(hash);
            known.forget();
        });
    }

    /**
     * Deletes what nobody can use any more: expired tokens, whose names are free then, and expired sessions.
     *
     * @return how many of both
     */
    public int purgeExpired() {
        return store.deleteExpired(now());
    }

    @Override
    public Optional<Caller> byToken(String token) {
        return valid(token, false).map(Credential::caller);
    }

    @Override
    public Optional<Caller> bySession(String cookie) {
        return valid(cookie, true).map(Credential::caller);
    }

    @Override
    public boolean hasTokens() {
        return store.anyValid(now());
    }

    private Optional<Credential> valid(String secret, boolean session) {
        var found = Secret.hash(secret)
                .flatMap(known::find)
                .filter(credential -> credential.session() == session && credential.isValidAt(clock.instant()));
        found.ifPresent(credential -> used.add(credential.tokenId()));
        return found;
    }

    private List<Credential> load() {
        var credentials = store.credentials(now());
        noteUse();
        return credentials;
    }

    private void noteUse() {
        var ids = List.copyOf(used);
        if (ids.isEmpty()) {
            return;
        }
        ids.forEach(used::remove);
        try {
            store.touch(ids, now());
        } catch (RuntimeException e) {
            LOG.debug("The last use of {} tokens was not noted: {}", ids.size(), e.toString());
        }
    }

    /** As PostgreSQL keeps it, so that what is answered now is what is listed later. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
