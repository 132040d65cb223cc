package dev.hotstate.core;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All families that may exist under one prefix. Building it proves that a live key belongs to one family or to none:
 * patterns that overlap, that can pass 100 bytes, that share a name, or that ACL rules could not keep apart between two
 * services are refused.
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
    private final FamilyIndex index = new FamilyIndex();

    private Keyspace(String prefix, Collection<Service> services) {
        this.prefix = prefix;
        this.services = List.copyOf(services);
        this.families = services.stream()
                .flatMap(service -> service.families().stream())
                .toList();
        requireServicesUnlike();
        for (int i = 0; i < families.size(); i++) {
            KeyFamily family = families.get(i);
            requireShort(family);
            families.subList(0, i).forEach(other -> requireUnlike(family, other));
            index.add(family);
        }
    }

    /**
     * @param prefix environment and application, as in {@code dev:hotstate}
     * @throws IllegalArgumentException naming the families that are too alike or the one that is too long
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

    /** The most characters that a prefix may have, for all keys of these services to stay under 100 bytes. */
    public static int longestPrefix(Collection<Service> services) {
        int longestKey = services.stream()
                .flatMap(service -> service.families().stream())
                .mapToInt(KeyFamily::maxLength)
                .max()
                .orElse(0);
        return MAX_KEY_BYTES - 1 - longestKey;
    }

    /** The family of a live key, by its whole name; empty for a key that nobody declared. */
    public Optional<KeyFamily> find(String wholeName) {
        boolean declarable = wholeName.length() <= MAX_KEY_BYTES
                && wholeName.startsWith(prefix)
                && wholeName.startsWith(":", prefix.length());
        return declarable ? index.find(wholeName.substring(prefix.length() + 1)) : Optional.empty();
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

    private void requireServicesUnlike() {
        Set<String> names = new HashSet<>();
        for (Service service : services) {
            if (!names.add(service.name())) {
                throw new IllegalArgumentException("there are two services called " + service.name());
            }
        }
    }

    private void requireShort(KeyFamily family) {
        int longest = prefix.length() + 1 + family.maxLength();
        if (longest > MAX_KEY_BYTES) {
            throw new IllegalArgumentException("keys of " + family + " can reach " + longest
                    + " bytes under the prefix " + prefix + "; they must stay under 100, so a prefix may have at most "
                    + longestPrefix(services) + " characters here");
        }
    }

    private static void requireUnlike(KeyFamily family, KeyFamily other) {
        String both = family + " of " + family.owner() + " and " + other + " of " + other.owner();
        if (family.overlaps(other)) {
            throw new IllegalArgumentException(both + " overlap: a key could belong to both");
        }
        if (family.name().equals(other.name())) {
            throw new IllegalArgumentException(
                    both + " would both be called " + family.name() + ": give one of them another word");
        }
        if (!family.owner().equals(other.owner()) && (family.reaches(other) || other.reaches(family))) {
            throw new IllegalArgumentException(both + " cannot be kept apart by ACL rules, where * runs over colons: "
                    + "begin one of them with another word");
        }
    }
}
