package dev.hotstate.core;

import java.util.List;
import java.util.Set;

/** The keys of a feature that exists for tests only, here and in other modules: errands, on an agenda. */
public final class ErrandKeys {
    public static final KeyFamily SCHEDULE = KeyFamily.zset("{<partition>}:errand:schedule")
            .id("partition", 16)
            .owner("errands")
            .field("<id>", "when it is due, or the end of its lease (ms)")
            .kept("an entry leaves when its errand is done")
            .typically(10_000, 12)
            .example("{e0}:errand:schedule")
            .why("what is to be done when")
            .declared();

    public static final KeyFamily FENCES = KeyFamily.hash("{<partition>}:errand:fences")
            .id("partition", 16)
            .owner("errands")
            .field("<id>", "the fence of the claim that holds it")
            .kept("a field leaves when its claim ends")
            .typically(100, 32)
            .example("{e0}:errand:fences")
            .why("who is at it")
            .declared();

    public static final Service SERVICE = new Service("errands", List.of(SCHEDULE, FENCES), List.of(), Set.of());

    public static final Keyspace KEYSPACE = Keyspace.of("test:errands", CoreKeys.SERVICE, SERVICE);

    private ErrandKeys() {}
}
