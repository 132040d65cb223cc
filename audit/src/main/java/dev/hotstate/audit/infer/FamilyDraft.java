package dev.hotstate.audit.infer;

import dev.hotstate.audit.names.FieldShape;
import dev.hotstate.audit.scan.FamilyLook;
import dev.hotstate.audit.scan.SeenFamily;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Field;
import dev.hotstate.audit.schema.Lifetime;
import dev.hotstate.audit.schema.Size;
import dev.hotstate.audit.schema.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A family as it would be declared if what was seen is what was meant. */
public final class FamilyDraft {
    /** A name of 5,000 bytes is a key's; a family's is for people. */
    private static final int LONGEST_NAME = 60;

    /** More names than this are data, not fields. */
    private static final int MOST_FIELDS = 40;

    /** From so many keys on, what all of them have is taken for required. */
    private static final int SURE = 20;

    private static final long MOST_ELEMENTS = 1000;
    private static final long MOST_BYTES = 100_000;
    private static final long MOST_OF_A_STRING = 1024;

    /** Lifetimes that people choose, in seconds. */
    private static final long[] CHOSEN = {
        1,
        2,
        5,
        10,
        15,
        20,
        30,
        60,
        120,
        300,
        600,
        900,
        1200,
        1800,
        3600,
        7200,
        10_800,
        21_600,
        43_200,
        86_400,
        172_800,
        259_200,
        604_800,
        1_209_600,
        2_592_000,
        5_184_000,
        7_776_000,
        15_552_000,
        31_536_000
    };

    private FamilyDraft() {}

    /** @param taken names that other families have; its own is added */
    public static Family of(SeenFamily seen, Set<String> taken) {
        FamilyLook look = seen.look();
        Type type = look.types().size() == 1
                ? Type.answered(look.types().keySet().iterator().next())
                : Type.ANY;
        return new Family(
                name(seen.pattern(), taken),
                seen.pattern(),
                type,
                "",
                seen.variables(),
                type == Type.HASH ? fields(look) : List.of(),
                lifetime(look),
                usual(look, type),
                Size.NONE,
                null,
                List.of(),
                seen.tally().examples().stream().findFirst().orElse(""),
                "");
    }

    /** What is beyond these stays a finding: that keys are large does not mean that they should be. */
    private static Size usual(FamilyLook look, Type type) {
        return new Size(
                Math.min(MOST_ELEMENTS, Math.round(look.counts().mean())),
                0,
                Math.min(
                        type == Type.STRING ? MOST_OF_A_STRING : MOST_BYTES,
                        Math.round(look.memory().mean())));
    }

    /** The literal words of the pattern. */
    private static String name(String pattern, Set<String> taken) {
        String words = Arrays.stream(pattern.split("[:/|]"))
                .map(part -> part.replaceAll("<[^<>]*>", "").replaceAll("[{}]", ""))
                .filter(part -> part.chars().anyMatch(Character::isLetterOrDigit))
                .collect(Collectors.joining(":"));
        String base = words.isEmpty() ? "keys" : words.substring(0, Math.min(LONGEST_NAME, words.length()));
        String name = base;
        for (int i = 2; !taken.add(name); i++) {
            name = base + "-" + i;
        }
        return name;
    }

    private static Lifetime lifetime(FamilyLook look) {
        long with = look.withTtl().count();
        long without = look.withoutTtl().count();
        if (with > 0 && without == 0) {
            return new Lifetime.Expires(chosen(look.ttlMax()));
        }
        return with == 0 && without > 0
                ? new Lifetime.Kept("none of the keys that were seen has a TTL; say here why they stay")
                : new Lifetime.Any();
    }

    /** What is left of a TTL is less than what it was: the next one that a person would have chosen. */
    private static Duration chosen(long millis) {
        for (long seconds : CHOSEN) {
            if (seconds * 1000 >= millis) {
                return Duration.ofSeconds(seconds);
            }
        }
        return Duration.ofDays(millis / 86_400_000 + 1);
    }

    private static List<Field> fields(FamilyLook look) {
        Map<String, Long> seen = look.seenFields();
        if (seen.isEmpty() || seen.size() > MOST_FIELDS || FieldShape.isData(seen.keySet())) {
            return List.of();
        }
        return seen.entrySet().stream()
                .map(field -> new Field(field.getKey(), "", look.looked() >= SURE && field.getValue() == look.looked()))
                .toList();
    }
}
