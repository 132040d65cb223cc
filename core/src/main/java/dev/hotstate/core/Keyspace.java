package dev.hotstate.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All families that may exist under one prefix. Building it proves that a live key belongs to one family or to none:
 * patterns that overlap, or that can pass 100 bytes, are refused.
 */
public final class Keyspace {
    /** Redis stores a key's name several times over; the design rules keep it below this. */
    static final int MAX_KEY_BYTES = 99;

    /** What a key that is found under the prefix, but that nobody declared, is said to be of. It makes no keys. */
    static final KeyFamily UNDECLARED = KeyFamily.string("{<tag>}:undeclared")
            .id("tag", 64)
            .owner("nobody")
            .kept("unknown: nobody declared it")
            .typically(1, 1)
            .example("{x}:undeclared")
            .why("unknown")
            .declared();

    private final String prefix;
    private final List<Service> services;
    private final List<KeyFamily> families;
    private final Map<Integer, List<KeyFamily>> bySegments = new HashMap<>();

    private Keyspace(String prefix, Collection<Service> services) {
        this.prefix = prefix;
        this.services = List.copyOf(services);
        this.families = services.stream()
                .flatMap(service -> service.families().stream())
                .toList();
        for (KeyFamily family : families) {
            admit(family);
        }
    }

    /**
     * @param prefix environment and application, as in {@code dev:hotstate}
     * @throws IllegalArgumentException naming the families that overlap or the one that is too long
     */
    public static Keyspace of(String prefix, Collection<Service> services) {
        for (String part : prefix.split(":", -1)) {
            if (part.isEmpty() || !part.chars().allMatch(c -> Segment.isIdCharacter((char) c))) {
                throw new IllegalArgumentException("key prefix must be words of A-Z a-z 0-9 . _ - joined by colons, as"
                        + " in dev:hotstate, not \"" + prefix + "\"");
            }
        }
        return new Keyspace(prefix, services);
    }

    public static Keyspace of(String prefix, Service... services) {
        return of(prefix, Arrays.asList(services));
    }

    /** The family of a live key, by its whole name; empty for a key that nobody declared. */
    public Optional<KeyFamily> find(String wholeName) {
        if (!wholeName.startsWith(prefix) || !wholeName.startsWith(":", prefix.length())) {
            return Optional.empty();
        }
        String[] parts = wholeName.substring(prefix.length() + 1).split(":", -1);
        for (KeyFamily family : bySegments.getOrDefault(parts.length, List.of())) {
            if (family.matches(parts)) {
                return Optional.of(family);
            }
        }
        return Optional.empty();
    }

    /** The name that stands in Redis. */
    public String wholeName(Key key) {
        return prefix + ":" + key.name();
    }

    /** A live key under our prefix, by its whole name, declared or not. */
    Key keyNamed(String wholeName) {
        return new Key(find(wholeName).orElse(UNDECLARED), wholeName.substring(prefix.length() + 1));
    }

    public String prefix() {
        return prefix;
    }

    public List<Service> services() {
        return services;
    }

    public List<KeyFamily> families() {
        return families;
    }

    private void admit(KeyFamily family) {
        int longest = prefix.length() + 1 + family.maxLength();
        if (longest > MAX_KEY_BYTES) {
            throw new IllegalArgumentException("keys of " + family + " can reach " + longest
                    + " bytes under the prefix " + prefix + "; they must stay under 100");
        }
        List<KeyFamily> alike = bySegments.computeIfAbsent(family.segmentCount(), n -> new ArrayList<>());
        for (KeyFamily other : alike) {
            if (family.overlaps(other)) {
                throw new IllegalArgumentException(family + " of " + family.owner() + " and " + other + " of "
                        + other.owner() + " overlap: a key could belong to both");
            }
        }
        alike.add(family);
    }
}
